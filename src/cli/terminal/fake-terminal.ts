import { PassThrough } from 'node:stream'
import { createPrompts, type Prompts } from './prompts.ts'

export interface FakeTerminal {
  readonly prompts: Prompts
  readonly input: PassThrough
  /** Everything that was drawn, without what only moves and colours. */
  readonly drawn: () => string
  /** Everything that was written, as it is. */
  readonly raw: () => string
  /** Waits until something is drawn that was not before the last look. */
  readonly look: (text: string) => Promise<void>
  /** Types, after people have had time to read. */
  readonly type: (...keys: readonly string[]) => Promise<void>
  /** Types at once. */
  readonly typeAhead: (...keys: readonly string[]) => Promise<void>
}

/** A terminal for tests: what is typed goes through everything that a real keyboard goes through. */
export async function openFakeTerminal({ columns = 80, rows = 24 }: { readonly columns?: number; readonly rows?: number } = {}): Promise<FakeTerminal> {
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { columns, rows })
  let raw = ''
  let seen = 0
  let time = 0
  const plain = (text: string): string => text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
  output.on('data', (chunk: Buffer) => {
    raw += chunk.toString('utf8')
    output.emit('drawn')
  })
  const typeAhead = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      if (input.listenerCount('data') === 0) await new Promise<void>((resolve) => input.once('newListener', () => setImmediate(resolve)))
      input.write(key)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return {
    prompts: await createPrompts({ input, output, now: () => time }),
    input,
    drawn: () => plain(raw),
    raw: () => raw,
    async look(text) {
      for (;;) {
        const drawn = plain(raw)
        const at = drawn.indexOf(text, seen)
        if (at >= 0) {
          seen = at + text.length
          return
        }
        await new Promise<void>((resolve) => output.once('drawn', resolve))
      }
    },
    async type(...keys) {
      for (const key of keys) {
        time += 1000
        await typeAhead(key)
      }
    },
    typeAhead,
  }
}
