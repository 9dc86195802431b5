/** The few variables of ours that a server may always have: enough to be found and to run, nothing that is a secret. */
export async function defaultEnvironment(): Promise<Readonly<Record<string, string>>> {
  const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio')
  return getDefaultEnvironment()
}
