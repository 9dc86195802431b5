/**
 * What other programs write into an entry of `mcpServers` and we do not use, so that entries can be copied over as they are.
 *
 * With a sentence, where somebody could rely on it; a permission is never taken over from another program.
 */
const foreignKeys: Readonly<Record<string, string | undefined>> = {
  alwaysAllow: 'is never taken over: nothing is allowed by it, write a rule',
  auth: 'is not used: put what the server needs into "headers", with ${NAME}',
  autoApprove: 'is never taken over: nothing is allowed by it, write a rule',
  description: undefined,
  disabledTools: 'is not used: no tool is hidden by it',
  envFile: 'is not read: put what the server needs into "env"',
  excludeTools: 'is not used: no tool is hidden by it',
  fromGalleryId: undefined,
  gallery: undefined,
  headersHelper: 'is not run: put what the server needs into "headers", with ${NAME}',
  icon: undefined,
  includeTools: 'is not used: no tool is hidden by it',
  name: undefined,
  oauth: 'is not used: put what the server needs into "headers", with ${NAME}',
  timeout: 'is not used: times are our own',
  tools: 'is not used: no tool is hidden by it',
  trust: 'is never taken over: nothing is allowed by it, write a rule',
  version: undefined,
  watchPaths: 'is not used: the server is not started again when a file changes',
}

export const foreignKeyNames: readonly string[] = Object.keys(foreignKeys)

/** What a person should know of the keys that are not used; nothing where none of them matters. */
export function notesOnKeys(names: Iterable<string>): readonly string[] {
  return [...names].flatMap((name) => {
    const sentence = Object.hasOwn(foreignKeys, name) ? foreignKeys[name] : undefined
    return sentence === undefined ? [] : [`"${name}" ${sentence}`]
  })
}
