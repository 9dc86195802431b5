import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answered } from '../../test/fixtures/fake-session.ts'
import { modern, Talk, type Said } from '../../test/fixtures/gateway-talk.ts'

const long = 'a "quoted" \\ text, with é and \u{1f600}. '.repeat(2000)
const response = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`
const plain = JSON.stringify({ content: [{ type: 'text', text: long }], rows: [1, { deep: ['}', '"', '\\'] }] })
const complete = `{"resultType":"complete",${plain.slice(1)}`

/** A client that was told half of a line already, when the server says the rest. */
function calling(era: 'legacy' | 'modern', capabilities: object = {}): Talk {
  const talk = new Talk()
  talk.session.onAnswer = () => answered({ roots: [] }, 'rule')
  if (era === 'legacy') return talk.shakeHands(capabilities).client({ id: 1, method: 'tools/call', params: { name: 'run' } })
  return talk.client({ id: 1, method: 'tools/call', params: modern(capabilities, { name: 'run' }) })
}

const cut = (bytes: Buffer, places: readonly number[]): readonly Buffer[] => {
  const at = [0, ...places.map((place) => place % bytes.length).toSorted((one, other) => one - other), bytes.length]
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

test.each([
  ['legacy', plain],
  ['modern', complete],
] as const)('a long response is the same bytes, however it is cut (%s)', (era, result) => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', ' ', ',"vendor":{"a":[1]}'), (cuts, end, rest) => {
      const talk = calling(era)
      const line = `${response(result).slice(0, -1)}${rest}}${end}`
      for (const chunk of cut(Buffer.from(line), cuts)) talk.server(chunk)
      talk.server({ method: 'notifications/message', params: {} })

      expect(talk.clientLines.join('')).toBe(`${line}{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n`)
    }),
    { numRuns: 150 },
  )
})

test('it is passed on while it is still coming, and is answered then', () => {
  const talk = calling('legacy')
  const bytes = Buffer.from(`${response(plain)}\n`)
  talk.server(bytes.subarray(0, 40_000))
  const early = talk.clientLines.join('').length
  talk.server(bytes.subarray(40_000))
  talk.client({ id: 1, method: 'tools/call', params: {} })

  expect([early > 30_000, talk.clientLines.join('').length, talk.serverLines.length]).toEqual([true, response(plain).length + 1, 2])
})

test.each([
  ['legacy', plain, ',"id":1}', '"id" stands in it behind its result'],
  ['legacy', plain, ',"\\u0069d":2}', '"id" stands in it behind its result'],
  ['legacy', plain, ',"Result":{}}', '"result" stands in it behind its result'],
  ['legacy', plain, ',"method":"roots/list"}', '"method" stands in it behind its result'],
  ['legacy', plain, ',"error":{}}', '"error" stands in it behind its result'],
  ['legacy', plain, '}}', 'it is no JSON object'],
  ['legacy', plain, '0}', 'it is no JSON object'],
  ['legacy', plain, '', 'it is no JSON object'],
  ['legacy', plain.slice(0, -1), '\r}}', 'a bare carriage return is in it'],
  ['legacy', plain, '\r}', 'a bare carriage return is in it'],
  ['legacy', plain.slice(0, -1), ',"a":"\xff"}}', 'it is not UTF-8'],
  ['legacy', plain, ',"a":"\xc3"}', 'it is not UTF-8'],
  ['legacy', plain.slice(0, -2), '', 'it breaks off'],
  ['modern', complete.slice(0, -1), ',"resultType":"input_required"}}', '"resultType" stands in it twice, or in a spelling that receivers read differently'],
  [
    'modern',
    complete.slice(0, -1),
    ',"result\\u0054ype":"input_required"}}',
    '"resultType" stands in it twice, or in a spelling that receivers read differently',
  ],
] as const)('a response that turns out broken after it was begun is no message, and its asker is told (%s, %#)', (era, result, end, why) => {
  const whole = Buffer.concat([Buffer.from(response(result).slice(0, -1)), Buffer.from(end, 'latin1'), Buffer.from('\n')])
  for (const at of [40_000, whole.length - 8, whole.length - 3]) {
    const talk = calling(era)
    for (const chunk of cut(whole, [35_000, at])) talk.server(chunk)
    talk.server({ id: 1, result: {} }).server({ method: 'vendor/next' })
    const [half, ...others] = talk.clientLines

    expect(() => JSON.parse(half!) as unknown).toThrow(SyntaxError)
    expect(others.map((line) => JSON.parse(line) as unknown)).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: `The response of the server is broken: ${why}`, data: { hop: 'consentry wrap' } } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', method: 'vendor/next' },
    ])
  }
})

test('whatever is done to a long response: it is passed as it would be if it came whole, or is no message and its asker is told', () => {
  const byte = fc.constantFrom(...Buffer.from('"\\{}[],: \r0e\xff'))
  const harm = fc.tuple(
    fc.oneof(
      fc.nat({ max: 60 }),
      fc.nat(),
      fc.nat({ max: 60 }).map((back) => -1 - back),
    ),
    byte,
    fc.boolean(),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('legacy' as const, 'modern' as const),
      fc.array(harm, { maxLength: 2 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      (era, harms, cuts) => {
        let line = Buffer.from(`${response(era === 'legacy' ? plain : complete).slice(0, -1)},"vendor":"a"}`)
        for (const [place, one, isAdded] of harms) {
          const at = place < 0 ? line.length + place : place % line.length
          line = Buffer.concat([line.subarray(0, at), Buffer.of(one), line.subarray(isAdded ? at : at + 1)])
        }
        const [whole, inPieces] = [calling(era), calling(era)]
        whole.server(Buffer.concat([line, Buffer.from('\n')]))
        for (const chunk of cut(Buffer.concat([line, Buffer.from('\n')]), [33_000, ...cuts])) inPieces.server(chunk)
        const said = (lines: readonly string[]): readonly unknown[] => lines.map((one) => (one.length > 1000 ? one : (JSON.parse(one) as Said).error?.code))
        if (inPieces.clientLines.length < 2) {
          expect(said(inPieces.clientLines)).toEqual(said(whole.clientLines))
          return
        }
        // Of a line that is noise nobody knows whom it would have answered, unless it was begun.
        expect([[], [-32603]]).toContainEqual(said(whole.clientLines))
        expect(said(inPieces.clientLines.slice(1))).toEqual([-32603])
        expect(() => JSON.parse(inPieces.clientLines[0]!) as unknown).toThrow(SyntaxError)
      },
    ),
    { numRuns: 300 },
  )
})

test('a server that dies in the middle of its response: the asker is told', () => {
  const talk = calling('legacy')
  talk.server(Buffer.from(response(plain).slice(0, 40_000)))
  talk.endServer()

  expect(talk.clientLines.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'The response of the server is broken: it breaks off', data: { hop: 'consentry wrap' } } },
  ])
})

test('what is said here meanwhile stands behind the line, and in none', async () => {
  const talk = calling('legacy')
  const [first, second] = cut(Buffer.from(`${response(plain)}\n`), [40_000])
  talk.server(first!)
  // Refused here, and answered here: both are said to the client at once.
  talk.client('{"jsonrpc":"2.0","id":9,"id":9,"method":"a"}\n').client({ id: 8, method: 'x', params: { _meta: 1 }, jsonrpc: '1.0' })
  await talk.settle()
  talk.server(second!)

  expect(talk.atClient.map(({ id, error }) => [id, error?.code])).toEqual([
    [1, undefined],
    [8, -32600],
  ])
})

test.each([
  ['its request is for us too', 'modern' as const, plain],
  ['its id comes behind its result', 'legacy' as const, `${plain},"id":1`],
])('a long response is waited for as a whole where %s', (_, era, result) => {
  const talk = calling(era)
  const line = result.endsWith('1') ? `{"jsonrpc":"2.0","result":${result}}\n` : `${response(result)}\n`
  const [first, second] = cut(Buffer.from(line), [40_000])
  talk.server(first!)
  const early = [...talk.clientLines]
  talk.server(second!)

  expect([early, talk.clientLines]).toEqual([[], [line]])
})
