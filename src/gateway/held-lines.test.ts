import { expect, test } from 'vitest'
import { HeldLines } from './held-lines.ts'
import type { Rereading } from '../mcp/rereading.ts'

test('what the client gave up takes no room any more', () => {
  const said: string[] = []
  const wire = { toClient: (text: Buffer | string) => void said.push(String(text)), toServer: () => {}, notice: () => {} }
  const held = new HeldLines({ wire, rereading: { over: undefined } as unknown as Rereading })
  held.shut()
  const keep = (id: number, size: number): void => {
    const bytes = Buffer.from(`${String(id).padEnd(size)}\n`)
    held.keep(bytes, { start: 0, end: size }, { value: id, span: { start: 0, end: 1 } })
  }
  keep(1, 65 * 1024 * 1024)
  const found = [held.forget(1), held.forget(1)]
  keep(2, 10)
  held.open()
  const released: string[] = []
  held.release((bytes) => released.push(bytes.toString().trim()))

  expect([found, released, said]).toEqual([[true, false], ['2'], []])
})
