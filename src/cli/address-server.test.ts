import { expect, test } from 'vitest'
import { identifyAddress } from './address-server.ts'

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
