/** What a person reads when there is no folder to work in. */
export function describeNoFolders(unusable: readonly string[]): string {
  const advice = 'Tell your MCP client which folders I may use, for example travel-planning and travel-templates, and call me again.'
  return unusable.length === 0 ? `I was told no folder, so I looked nowhere. ${advice}` : [...unusable, advice].join('\n')
}
