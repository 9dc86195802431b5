import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { MemoryTransport } from './memory-transport.ts'

const ping: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' }

function open() {
  const far: unknown[] = []
  const transport = new MemoryTransport({ receive: (message) => far.push(message), end: () => far.push('end') })
  const near: unknown[] = []
  Object.assign(transport, { onmessage: (message: unknown) => near.push(message), onclose: () => near.push('close') })
  return { transport, far, near }
}

test('messages arrive as copies, later than they were sent, in their order', async () => {
  const { transport, far, near } = open()
  const message = { jsonrpc: '2.0', method: 'a', params: { list: [1] } }
  await transport.start()

  transport.deliver(message)
  transport.deliver({ jsonrpc: '2.0', method: 'b' })
  const sent = transport.send(ping)
  const before = [near.length, far.length]
  message.params.list.push(2)
  await sent

  expect([before, near, far]).toEqual([
    [0, 0],
    [
      { jsonrpc: '2.0', method: 'a', params: { list: [1] } },
      { jsonrpc: '2.0', method: 'b' },
    ],
    [ping],
  ])
})

test('what comes before anybody listens is kept', async () => {
  const { transport, near } = open()
  transport.deliver({ jsonrpc: '2.0', method: 'early' })
  await Promise.resolve()

  await transport.start()

  expect(near).toEqual([{ jsonrpc: '2.0', method: 'early' }])
})

test('closing tells both ends once, and nothing goes through any more', async () => {
  const { transport, far, near } = open()
  await transport.start()

  await transport.close()
  await transport.close()
  transport.deliver({ jsonrpc: '2.0', method: 'late' })

  await expect(transport.send(ping)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  await expect(transport.start()).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  expect([near, far]).toEqual([['close'], ['end']])
})
