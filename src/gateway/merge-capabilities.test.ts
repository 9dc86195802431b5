import { expect, test } from 'vitest'
import type { AnswerCapabilities, InputKind, Revision } from '../protocol/index.ts'
import { mergeCapabilities } from './merge-capabilities.ts'

const everything: AnswerCapabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const foldersOnly: AnswerCapabilities = { roots: true, form: false, url: false, sampling: false, samplingTools: false }

interface Case {
  readonly can?: AnswerCapabilities
  readonly revision?: Revision
  readonly take?: readonly InputKind[]
  readonly pass?: readonly InputKind[]
}

function merge(text: string, { can = everything, revision = '2025-11-25', take = [], pass = [] }: Case = {}): unknown {
  const bytes = Buffer.from(`xx${text}yy`)
  const merged = mergeCapabilities(bytes, { start: 2, end: bytes.length - 2 }, { can, revision, wishes: { take: new Set(take), pass: new Set(pass) } })
  return typeof merged === 'string' ? merged : merged.bytes.toString()
}

const ownersOf = (text: string, { can = everything, take = [], pass = [] }: Case = {}): string => {
  const bytes = Buffer.from(text)
  const merged = mergeCapabilities(
    bytes,
    { start: 0, end: bytes.length },
    { can, revision: '2025-11-25', wishes: { take: new Set(take), pass: new Set(pass) } },
  )
  return typeof merged === 'string'
    ? merged
    : Object.entries(merged.owners)
        .map(([feature, owner]) => `${feature}:${owner}`)
        .join(' ')
}

const cases: readonly (readonly [title: string, declared: string, told: string, given?: Case])[] = [
  ['nothing declared: all three', '{}', '{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}'],
  [
    'everything declared: the same bytes',
    '{ "roots":{ } , "elicitation" : {"form":{},"url":{"v":1}}, "sampling":{"tools":{},"context":{}} }',
    '{ "roots":{ } , "elicitation" : {"form":{},"url":{"v":1}}, "sampling":{"tools":{},"context":{}} }',
  ],
  [
    'what is not ours keeps its bytes and its place',
    '{ "experimental": {"a" : 1.50}, "roots":{} ,"x":[ ] }',
    '{"experimental": {"a" : 1.50},"roots":{},"x":[ ],"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}',
  ],
  ['forms alone: URLs are added', '{"elicitation":{}}', '{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{}}}'],
  [
    'forms with words of their own',
    '{"elicitation":{"form":{"a":1},"vendor":2}}',
    '{"elicitation":{"vendor":2,"form":{"a":1},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{}}}',
  ],
  ['URLs alone: forms are added', '{"elicitation":{"url":{}}}', '{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{}}}'],
  [
    'sampling without tools: tools are added',
    '{"sampling":{"context":{}}}',
    '{"sampling":{"context":{},"tools":{}},"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}}',
  ],
  ['nobody can be asked: folders only', '{}', '{"roots":{"listChanged":true}}', { can: foldersOnly }],
  [
    'nobody can be asked: what the client has stays',
    '{"elicitation":{},"sampling":{}}',
    '{"elicitation":{},"sampling":{},"roots":{"listChanged":true}}',
    { can: foldersOnly },
  ],
  [
    'taken: ours in place of the client’s',
    '{"roots":{},"elicitation":{"form":{"x":1}},"sampling":{}}',
    '{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}',
    { take: ['roots', 'elicitation', 'sampling'] },
  ],
  ['taken, and nobody can be asked: not promised', '{"elicitation":{}}', '{"roots":{"listChanged":true}}', { take: ['elicitation'], can: foldersOnly }],
  ['passed: nothing is added', '{"elicitation":{}}', '{"elicitation":{}}', { pass: ['roots', 'elicitation', 'sampling'] }],
  ['passed, and not declared: not declared', '{}', '{}', { pass: ['roots', 'elicitation', 'sampling'] }],
  ['2025-06-18 knows no modes and no tools', '{}', '{"roots":{"listChanged":true},"elicitation":{},"sampling":{}}', { revision: '2025-06-18' }],
  [
    '2025-06-18 with forms: nothing is added',
    '{"elicitation":{},"roots":{},"sampling":{}}',
    '{"elicitation":{},"roots":{},"sampling":{}}',
    { revision: '2025-06-18' },
  ],
  ['2024-11-05 knows no elicitation', '{}', '{"roots":{"listChanged":true},"sampling":{}}', { revision: '2024-11-05' }],
  ['2026-07-28 has no news of folders', '{}', '{"roots":{},"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}', { revision: '2026-07-28' }],
  [
    'what is no object was not declared',
    '{"roots":true,"sampling":null}',
    '{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}',
  ],
  ['what is no object is the client’s business where it is passed', '{"roots":true}', '{"roots":true}', { pass: ['roots', 'elicitation', 'sampling'] }],
  [
    'tasks of what is answered here are not promised',
    '{"elicitation":{"form":{},"url":{}},"roots":{},"tasks":{"list":{},"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}},"x":1}}}',
    '{"elicitation":{"form":{},"url":{}},"roots":{},"tasks":{"list":{},"requests":{"elicitation":{"create":{}},"x":1}},"sampling":{"tools":{}}}',
  ],
  [
    'tasks of what the client answers stay as they are',
    '{"roots":{},"elicitation":{"url":{},"form":{}},"sampling":{"tools":{}},"tasks": {"requests" : {"elicitation":{"create":{}}}}}',
    '{"roots":{},"elicitation":{"url":{},"form":{}},"sampling":{"tools":{}},"tasks": {"requests" : {"elicitation":{"create":{}}}}}',
  ],
  [
    'tasks that nobody here takes over stay',
    '{"roots":{},"elicitation":{},"tasks":{"requests":{"elicitation":{"create":{}}}}}',
    '{"roots":{},"elicitation":{},"tasks":{"requests":{"elicitation":{"create":{}}}}}',
    { can: foldersOnly },
  ],
]

test.each(cases.map(([title, declared, told, given]) => ({ title, declared, told, given })))('$title', ({ declared, told, given }) => {
  expect(merge(declared, given)).toBe(told)
})

test.each([
  ['{"roots":{},"roots":{}}', 'roots'],
  ['{"r\\u006fots":{}}', 'roots'],
  ['{"Sampling":{}}', 'sampling'],
  ['{"elicitation":{"form":{},"form":{}}}', 'form'],
  ['{"sampling":{"tools":{},"\\u0074ools":{}}}', 'tools'],
])('%s can be read in two ways', (declared, name) => {
  expect(merge(declared)).toContain(`"${name}" stands in its capabilities twice`)
})

test('each feature has one owner: the client where it declared it, then we, then nobody; wishes come first', () => {
  expect([
    ownersOf('{"elicitation":{}}'),
    ownersOf('{"elicitation":{"url":{}},"sampling":{}}', { can: foldersOnly }),
    ownersOf('{"roots":{},"sampling":{"tools":{}}}', { take: ['sampling'], pass: ['elicitation'] }),
  ]).toEqual([
    'roots:here form:client url:here sampling:here samplingTools:here',
    'roots:here form:nobody url:client sampling:client samplingTools:nobody',
    'roots:client form:client url:client sampling:here samplingTools:here',
  ])
})
