import { expect, test } from 'vitest'
import type { JsonObject } from '../protocol/index.ts'
import { checkForms, checkSecrets, checkUrls } from './check-elicitation.ts'

const requestedSchema = { type: 'object', properties: { n: { type: 'integer', default: 5 }, apiKey: { type: 'string' } }, required: ['n'] }

test.each<readonly [JsonObject, unknown]>([
  [{ requestedSchema }, { outcome: 'send', values: { n: 5 } }],
  [
    { requestedSchema, content: { n: 'x' } },
    { outcome: 'refuse', faults: [{ field: 'n', problem: 'not-a-number', message: 'must be a number, written as a number' }] },
  ],
  [{ requestedSchema: { type: 'object', properties: { a: {} } } }, { outcome: 'schema-invalid', field: 'a', message: expect.stringContaining('"type"') }],
  [{ requestedSchema: null }, { outcome: 'schema-invalid', message: expect.stringContaining('"object"') }],
])('a form is judged: %j', async (input, expected) => {
  expect(JSON.parse(JSON.stringify(await checkForms(input)))).toEqual(expected)
})

test('secrets are named with their sign', async () => {
  expect(await checkSecrets({ requestedSchema })).toEqual({ fields: ['apiKey'], signs: [{ field: 'apiKey', sign: 'name' }] })
})

test('a URL is judged as its card would show it', async () => {
  expect(await checkUrls({ url: 'https://a.example:8443/', serverOrigin: null })).toEqual({
    verdict: 'warn',
    warnings: ['port'],
    host: 'a.example',
    site: 'a.example',
    says: [expect.stringContaining('8443')],
  })
  expect(await checkUrls({ url: 'javascript:1', serverOrigin: 'https://a.example' })).toMatchObject({ verdict: 'refuse', warnings: [], host: null, site: null })
})

test.each([
  [checkForms, {}],
  [checkSecrets, { content: {} }],
  [checkUrls, { url: 'https://a.example' }],
  [checkUrls, { serverOrigin: null }],
  [checkUrls, { url: 5, serverOrigin: null }],
  [checkUrls, { url: 'https://a.example', serverOrigin: 'a' }],
])('a line that lacks what it needs is wrong usage', async (check, input) => {
  await expect(check(input)).rejects.toMatchObject({ code: 'USAGE' })
})
