import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { node, textIn, Workplace } from '../fixtures/program.ts'

const runner = join(import.meta.dirname, '../../examples/run.mjs')

test.each([
  ['filesystem-server-v1', '2025-11-25'],
  ['filesystem-server-v2', '2025-11-25'],
  ['filesystem-server-v2', '2026-07-28'],
])(
  'the small filesystem server %s works in the folder that it is granted in %s, and nowhere else',
  async (example, protocol) => {
    const place = new Workplace()
    mkdirSync(join(place.folder, 'granted'))
    place.write('outside', 'kept from it')
    const call = (tool: string, input: object): ReturnType<Workplace['call']> =>
      place.call([tool, '--args', JSON.stringify(input), '--root', 'granted', '--protocol', protocol, '--', node, runner, example])

    const written = await call('write', { path: 'notes/today.md', text: 'Pack.' })
    const refused = await call('read', { path: join(place.folder, 'outside') })

    expect([written.output.protocol, textIn(written.output), place.read('granted/notes/today.md')]).toEqual([
      protocol,
      `Written: ${join(place.folder, 'granted/notes/today.md')}`,
      'Pack.',
    ])
    expect([refused.code, textIn(refused.output)]).toEqual([1, `The path does not lie in any granted root. Use a path in: ${join(place.folder, 'granted')}.`])
  },
  120_000,
)
