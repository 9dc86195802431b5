import type { Host } from '../host/index.ts'
import type { ConfigChange } from './contract.ts'

/** Starts a server that was written into the config, once it was. A host that does not follow the config does not know it, and nothing is started. */
export async function startWhenWritten(host: Pick<Host, 'connect'>, name: string, change: Promise<ConfigChange>): Promise<ConfigChange> {
  const result = await change
  if (result.status === 'changed') void host.connect(name).catch(() => undefined)
  return result
}
