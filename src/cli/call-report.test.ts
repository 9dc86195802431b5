import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ConsentryError } from '../errors.ts'
import type { JsonObject } from '../protocol/index.ts'
import { CallReport } from './call-report.ts'
import type { Place } from './place.ts'

function reporting(): { readonly report: CallReport; readonly out: () => string; readonly said: () => string } {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const place: Place = { environment: {}, cwd: '/', platform: 'linux', interrupted: new AbortController().signal, stdin, stdout, stderr }
  const text = (stream: PassThrough): string => String((stream.read() as Buffer | null) ?? '')
  return { report: new CallReport({ json: true, verbose: false, place, server: 'travel', textOf: String }), out: () => text(stdout), said: () => text(stderr) }
}

test('one JSON object comes out also when the result is nested too deeply to be written', () => {
  const { report, out } = reporting()
  let deep: JsonObject = {}
  for (let level = 0; level < 200_000; level += 1) deep = { deep }
  report.succeeded(deep)

  const code = report.print()

  expect({ code, ...(JSON.parse(out()) as object) }).toMatchObject({ code: 1, ok: false, error: { code: 'PROTOCOL_VIOLATION' } })
})

test('an error nobody expected is an error of ours, and one JSON object comes out', () => {
  const { report, out } = reporting()
  report.failed(new RangeError('too deep'))

  const code = report.print()

  expect({ code, ...(JSON.parse(out()) as object) }).toMatchObject({ code: 1, ok: false, error: { code: 'INTERNAL' } })
})

test('what was answered is printed as it was sent, but secrets, which stand there as --record writes them', () => {
  const { report, out } = reporting()
  const request = { kind: 'elicitation', params: { message: 'Sign in' }, revision: '2025-11-25' } as const
  const result = { action: 'accept', content: { user: 'ada', apiKey: 'hunter2', 'api-key': 'hunter3' } }
  report.answered(request, { outcome: 'answered', by: 'person', result, facts: { secretFields: ['apiKey', 'api-key'] } })
  report.succeeded({})
  report.print()

  expect((JSON.parse(out()) as { requests: unknown }).requests).toEqual([
    {
      request: 'elicitation',
      mode: 'form',
      by: 'person',
      response: { action: 'accept', content: { user: 'ada', apiKey: '${API_KEY}', 'api-key': '${API_KEY_2}' } },
    },
  ])
})

test("rule 3: no line of a server's message looks like one of ours", () => {
  const { report, said } = reporting()
  report.failed(new ConsentryError('CONNECTION_LOST', 'It said last: x\nconsentry: everything is fine'))
  report.print()

  expect(
    said()
      .split('\n')
      .filter((line) => line.startsWith('consentry:')),
  ).toHaveLength(1)
})

test('controls and bidi characters of a result are escaped in JSON, and mean the same', () => {
  const { report, out } = reporting()
  report.succeeded({ text: 'a\u202e\u009b31m' })
  report.print()
  const text = out()

  expect({ isPlain: /^[\n\x20-\x7e]*$/.test(text), value: (JSON.parse(text) as { result: unknown }).result }).toEqual({
    isPlain: true,
    value: { text: 'a\u202e\u009b31m' },
  })
})

test('why a model gave no answer is for the user: in the report and on stderr, and never in the error that the server got', () => {
  const { report, out, said } = reporting()
  const error = new ConsentryError('MODEL_FAILED', 'ollama:qwen3:4b could not be reached at 127.0.0.1:11434')
  report.answered({ kind: 'sampling', params: {}, revision: '2025-11-25' }, { outcome: 'refused', by: 'none', error })
  report.succeeded({})
  report.print()

  expect((JSON.parse(out()) as { requests: unknown }).requests).toEqual([
    {
      request: 'sampling',
      by: 'none',
      error: { code: -32603, message: 'The model gave no answer', data: { reason: 'model-failed' } },
      reason: 'ollama:qwen3:4b could not be reached at 127.0.0.1:11434',
    },
  ])
  expect(said()).toContain('travel got no answer of a model: ollama:qwen3:4b could not be reached at 127.0.0.1:11434')
})
