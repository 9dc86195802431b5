import { expect, test } from 'vitest'
import { revisions, type AnswerCapabilities } from '../protocol/index.ts'
import { Declaration, toClientCapabilities, undeclared } from './capabilities.ts'

const all: AnswerCapabilities = { roots: true, form: true, url: true, sampling: true, samplingTools: true }
const none: AnswerCapabilities = { roots: false, form: false, url: false, sampling: false, samplingTools: false }

test('each revision is promised what it knows, and no more', () => {
  expect(Object.fromEntries(revisions.map((revision) => [revision, toClientCapabilities(revision, all)]))).toEqual({
    '2024-11-05': { roots: { listChanged: true }, sampling: {} },
    '2025-03-26': { roots: { listChanged: true }, sampling: {} },
    '2025-06-18': { roots: { listChanged: true }, elicitation: {}, sampling: {} },
    '2025-11-25': { roots: { listChanged: true }, elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
    '2026-07-28': { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } },
  })
})

test.each([
  [{}, {}],
  [{ url: true }, { elicitation: { url: {} } }],
  [{ form: true, samplingTools: true }, { elicitation: { form: {} } }],
  [{ sampling: true }, { sampling: {} }],
])('what cannot be answered is not declared: %j', (can, expected) => {
  expect(toClientCapabilities('2025-11-25', { ...none, ...can })).toEqual(expected)
})

test('URLs alone are nothing that 2025-06-18 could be promised', () => {
  expect(toClientCapabilities('2025-06-18', { ...none, url: true })).toEqual({})
})

test('a handshake says what can be answered when it leaves, and what others declared stays', () => {
  let can = none
  const declaration = new Declaration({ capabilities: () => can })
  can = { ...none, form: true }
  const request = declaration.into({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true }, experimental: { x: {} } }, clientInfo: { name: 'c' } },
  })

  expect(request.params).toEqual({
    protocolVersion: '2025-11-25',
    capabilities: { experimental: { x: {} }, elicitation: { form: {} } },
    clientInfo: { name: 'c' },
  })
  expect(declaration.handshake).toEqual(can)
})

test('a modern request says it anew each time', () => {
  let can = none
  const declaration = new Declaration({ capabilities: () => can })
  const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', progressToken: 1 }
  const capabilitiesNow = (): unknown => {
    const { params } = declaration.into({ jsonrpc: '2.0', id: 0, method: 'tools/list', params: { cursor: 'c', _meta: { ...version } } })
    return params
  }

  expect([none, all, none].map((next) => ((can = next), capabilitiesNow()))).toEqual(
    [{}, { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } }, {}].map((capabilities) => ({
      cursor: 'c',
      _meta: { ...version, 'io.modelcontextprotocol/clientCapabilities': capabilities },
    })),
  )
})

test('a legacy request is left as it is', () => {
  const request = { jsonrpc: '2.0', id: 0, method: 'tools/list', params: { _meta: { progressToken: 1 } } } as const

  expect(new Declaration({ capabilities: () => all }).into(request)).toBe(request)
})

test('a session that cannot say what it can answer can answer nothing', () => {
  const declaration = new Declaration({
    capabilities: () => {
      throw new Error('lost')
    },
  })

  expect(declaration.now()).toEqual(none)
})

test.each([
  ['roots/list', undefined, none, 'FEATURE_NOT_DECLARED'],
  ['roots/list', undefined, all, undefined],
  ['elicitation/create', { mode: 'url' }, { ...none, form: true }, 'ELICITATION_INVALID'],
  ['elicitation/create', {}, { ...none, url: true }, 'ELICITATION_INVALID'],
  ['elicitation/create', { mode: 'url' }, { ...none, url: true }, undefined],
  ['elicitation/create', {}, none, 'FEATURE_NOT_DECLARED'],
  ['sampling/createMessage', { tools: [] }, { ...none, sampling: true }, 'SAMPLING_INVALID'],
  ['sampling/createMessage', { toolChoice: { mode: 'none' } }, { ...none, sampling: true }, 'SAMPLING_INVALID'],
  ['sampling/createMessage', { tools: [] }, all, undefined],
] as const)('%s with %j is held to what was promised', (method, params, promised, code) => {
  expect(undeclared(method, params, promised)?.code).toBe(code)
})
