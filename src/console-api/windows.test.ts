import { expect, test } from 'vitest'
import type { ConsoleEvent } from './contract.ts'
import { Windows } from './windows.ts'

const removed = (name: string): ConsoleEvent => ({ type: 'server-removed', name })

/** What a window is sent first that has seen this last. */
async function comeBack(windows: Windows, after: string): Promise<string> {
  const { stream, end } = windows.open({ after, first: (window, missed) => ({ type: 'resumed', window, now: missed === 'nothing' ? 0 : 1 }), onEnd: () => {} })
  end()
  let text = ''
  for await (const chunk of stream) text += new TextDecoder().decode(chunk)
  return text
}

test('a window that comes back is told what it missed, under the numbers of this run', async () => {
  const windows = new Windows({ run: 'run' })
  for (const name of ['a', 'b']) windows.tell(removed(name))

  const text = await comeBack(windows, 'run:1')

  expect([text.startsWith('id: run:1\ndata: {"type":"resumed"'), text.includes('"name":"b"'), text.includes('"name":"a"')]).toEqual([true, true, false])
  windows.close()
})

test.each(['run:1\n\ndata: {}', 'run: 1', 'run:1\n', 'run:1:x\ndata: y', 'run:', 'run:-1', 'run:1e0', 'run:99', 'other:1', ''])(
  'the last event %j is none of this run: everything anew, and none of these words',
  async (after) => {
    const windows = new Windows({ run: 'run' })
    windows.tell(removed('a'))

    expect(await comeBack(windows, after)).toBe('id: run:1\ndata: {"type":"resumed","window":"window-1","now":1}\n\n')
    windows.close()
  },
)
