import { expect, test } from 'vitest'
import { identifyAddress, openAddress } from './address-server.ts'
import type { Place } from './place.ts'

test('a server at an address is called after its host, unless it was given a name', () => {
  expect([identifyAddress('https://notes.example/mcp', undefined), identifyAddress('https://notes.example/mcp', 'notes')]).toEqual([
    { name: 'notes.example', named: false, target: { kind: 'http', url: 'https://notes.example/mcp' } },
    { name: 'notes', named: true, target: { kind: 'http', url: 'https://notes.example/mcp' } },
  ])
})

test.each(['foo', 'file:///etc', 'https://ada:secret@notes.example/mcp'])('what cannot be an address names the option, and never a password: %s', (url) => {
  const refuse = (): unknown => identifyAddress(url, undefined)

  expect(refuse).toThrow('--url')
  expect(refuse).not.toThrow('secret')
})

const place = (environment: Readonly<Record<string, string>>): Place => ({ environment, cwd: '/', platform: 'linux' }) as unknown as Place

test('a header can be all that a variable holds, whatever it looks like', async () => {
  const { headers } = await openAddress(
    'https://notes.example/',
    { headers: ['A: b ${C}'], headerVariables: ['Authorization=TOKEN'] },
    place({ C: 'c', TOKEN: 'Bearer ${C}' }),
    () => undefined,
  )

  expect(headers).toEqual({ A: 'b c', Authorization: 'Bearer ${C}' })
})

test.each(['Authorization', 'Authorization=', '=TOKEN', 'A b=TOKEN', 'Authorization=NOT-A-NAME', 'Authorization=GONE', 'Authorization=LINES'])(
  'a header of a variable that cannot be sent is refused, and no value is told: %s',
  async (given) => {
    const opening = openAddress(
      'https://notes.example/',
      { headers: [], headerVariables: [given] },
      place({ LINES: 'secret\nX: y', TOKEN: 'secret' }),
      () => undefined,
    )

    await expect(opening).rejects.toThrow(/^(?!.*secret)/)
    await expect(opening).rejects.toMatchObject({ name: 'ConsentryError' })
  },
)
