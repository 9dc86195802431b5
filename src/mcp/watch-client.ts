import type { Client } from '@modelcontextprotocol/client'

export interface ClientWatcher {
  /** A handshake is over. */
  readonly onConnected: () => void
  readonly onClosed: () => void
}

/** Hears of both, whatever `onclose` the client has or is given later. */
export function watchClient(client: Client, { onConnected, onClosed }: ClientWatcher): void {
  let theirs = client.onclose
  const connect = client.connect.bind(client)
  const onclose = (): void => {
    onClosed()
    theirs?.()
  }
  Object.defineProperty(client, 'onclose', {
    get: () => onclose,
    set: (listener: Client['onclose']) => {
      theirs = listener
    },
  })
  client.connect = async (...given) => {
    await connect(...given)
    onConnected()
  }
}
