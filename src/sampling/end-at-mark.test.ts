import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endAtMark } from './end-at-mark.ts'

/** What is read of a stream that nobody closes, or of one that ends. */
async function read(chunks: readonly Uint8Array<ArrayBuffer>[], isOpen: boolean): Promise<string> {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      if (!isOpen) controller.close()
    },
  })
  return new Response(source.pipeThrough(endAtMark())).text()
}

function cut(text: string, sizes: readonly number[]): readonly Uint8Array<ArrayBuffer>[] {
  const bytes = new TextEncoder().encode(text)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length]!
    chunks.push(bytes.slice(at, at + size))
    at += size
  }
  return chunks
}

const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })
const beginning = fc.constantFrom('', 'data: {"a":"안녕"}\n\n', 'data: {"a":"data: [DONE]\\n"}\r\n\r\n', ': [DONE]\n', 'xdata: [DONE]\n', 'data: [DONE]x\n')

test('a stream is over at its end mark, in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(beginning, fc.constantFrom('data: [DONE]\n\n', 'data:[DONE]\r\n\r\n', 'data: [DONE]\r\r'), sizes, async (before, mark, cuts) => {
      expect((await read(cut(before + mark, cuts), true)).startsWith(before + mark.slice(0, -3))).toBe(true)
    }),
  )
})

test('nothing is lost of a stream without one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(beginning), sizes, async (parts, cuts) => {
      expect(await read(cut(parts.join(''), cuts), false)).toBe(parts.join(''))
    }),
  )
})
