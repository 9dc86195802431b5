import { ProtocolError, type Client } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { sleep, type Clock } from './clock.ts'
import type { ListName } from './server-lists.ts'
import { wireCodes } from './wire-error.ts'

export type ListChange = Exclude<ListName, 'resourceTemplates'>

const changes: readonly ListChange[] = ['tools', 'prompts', 'resources']
const slowest = 60_000

/** Hears of changed lists on a legacy connection, where servers tell of them unasked. In place before the first byte. */
export function hearListChanges(client: Client, onChange: (list: ListChange) => void): void {
  for (const list of changes) client.setNotificationHandler(`notifications/${list}/list_changed`, () => onChange(list))
}

/**
 * Asks a modern server to tell of changed lists, where it says that it can, for as long as the signal lasts. A stream that ends is opened again.
 * @see MCP 2026-07-28 basic/patterns/subscriptions
 */
export async function subscribeToLists(client: Client, capabilities: JsonObject, clock: Clock, signal: AbortSignal): Promise<void> {
  const wanted = changes.filter((list) => {
    const capability = capabilities[list]
    return isJsonObject(capability) && capability['listChanged'] === true
  })
  if (wanted.length === 0) return
  const filter = Object.fromEntries(wanted.map((list) => [`${list}ListChanged`, true]))
  for (let waitMs = 1000; !signal.aborted; waitMs = Math.min(waitMs * 2, slowest)) {
    try {
      const subscription = await client.listen(filter, { signal })
      const started = clock.now()
      await subscription.closed
      if (clock.now() - started > slowest) waitMs = 1000
    } catch (error) {
      client.onerror?.(error as Error)
      if (error instanceof ProtocolError && error.code === wireCodes.methodNotFound) return
    }
    await sleep(clock, waitMs, signal).catch(() => {})
  }
}
