import { describe, expect, test } from 'vitest'
import { startModelServer, status, stream, type ModelServer, type Reply } from '../../test/fixtures/model-server.ts'
import { wires, type WireName } from '../../test/fixtures/model-wire.ts'
import { ConsentryError } from '../errors.ts'
import type { SamplingRequest } from '../protocol/index.ts'
import { createModels } from './create-models.ts'
import type { ProviderAnswer } from './model-provider.ts'

const forms = Object.keys(wires) as readonly WireName[]
const version: Readonly<Record<WireName, string>> = { anthropic: '/v1', openai: '/v1', google: '/v1beta', 'openai-compatible': '/v1' }
const KEY = 'sk-secret-0123456789abcdef'
const request: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'the prompt' }] }], maxTokens: 50 }
const A_YEAR = String(365 * 86_400)
const timesAsked = ({ heard }: ModelServer): number => heard.length

/** What a model answers, or the fault, in one go or bit by bit. */
async function ask(form: WireName, origin: string, isStream: boolean): Promise<ProviderAnswer | ConsentryError> {
  const models = createModels({
    entries: [{ provider: 'lab', model: 'tiny', api: form, baseUrl: origin + version[form], apiKey: KEY }],
    pauseMs: 1,
    timeoutMs: 20_000,
  })
  try {
    return await models.complete('lab:tiny', request, new AbortController().signal, isStream ? () => undefined : undefined)
  } catch (error) {
    if (error instanceof ConsentryError) return error
    throw new Error('expected an answer, or a fault of ours', { cause: error })
  }
}

async function faultsOf(form: WireName, origin: string): Promise<readonly ConsentryError[]> {
  const faults = [await ask(form, origin, false), await ask(form, origin, true)]
  return faults.map((fault) => {
    if (fault instanceof ConsentryError) return fault
    throw new Error('expected a fault', { cause: fault })
  })
}

const badLines: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: {"choices":[{"delta":\n\ndata: ${KEY}\n\nevent: \u0000\ndata: []\n\ndata: null\n\n: ${KEY}\n\n`)
}

describe.each(forms)('whatever a server of the form of %s does', (form) => {
  test.each([301, 302, 307, 308])('a redirect (%i) to another host is not followed: neither prompt nor key go there', async (code) => {
    const other = await startModelServer(form, { text: ['mine now'] })
    const { origin } = await startModelServer(form, status(code, { location: `${other.origin}${version[form]}/chat/completions?x=1` }))
    const faults = await faultsOf(form, origin)

    expect([faults.map(({ code: name }) => name), timesAsked(other)]).toEqual([['MODEL_FAILED', 'MODEL_FAILED'], 0])
  })

  test('one that wants to be asked again in a year is not waited for', async () => {
    const server = await startModelServer(form, status(429, { 'retry-after': A_YEAR }))
    const faults = await faultsOf(form, server.origin)

    expect([faults.map(({ data }) => data), timesAsked(server)]).toMatchObject([[{ spent: 'nothing' }, { spent: 'nothing' }], 2])
  })

  test('lines that are no events end as a fault, which carries neither key nor prompt', async () => {
    const { origin } = await startModelServer(form, badLines)
    const said = JSON.stringify((await faultsOf(form, origin)).map(({ code, message, data }) => ({ code, message, data })))

    expect([said.includes('MODEL_FAILED'), said.includes(KEY), said.includes('the prompt')]).toEqual([true, false, false])
  })

  test.each([
    { input: -5, output: -7 },
    { input: NaN, output: Infinity },
  ])('counts of %j are no counts', async (usage) => {
    const { origin } = await startModelServer(form, { text: ['The 10:05.'], usage })
    const answers = [await ask(form, origin, false), await ask(form, origin, true)]
    const counts = answers.flatMap((answer) => (answer instanceof ConsentryError ? [] : Object.values(answer.usage ?? {})))

    expect(counts.filter((count) => count !== undefined && !(count >= 0 && Number.isFinite(count)))).toEqual([])
  })

  test('a connection that is not what it says costs nothing, and says nothing of the key', async () => {
    const { origin, heard } = await startModelServer(form, { text: ['hello'] })
    const faults = await faultsOf(form, origin.replace('http:', 'https:'))

    expect([faults.map(({ code, data }) => [code, data]), heard.length, JSON.stringify(faults.map(({ message }) => message)).includes(KEY)]).toMatchObject([
      [
        ['MODEL_FAILED', { spent: 'nothing' }],
        ['MODEL_FAILED', { spent: 'nothing' }],
      ],
      0,
      false,
    ])
  })

  test('a stream that tears after each of its events ends as a fault, never as an answer that is whole', async () => {
    const says = { text: ['Take ', 'the ', '10:05.'] }
    const isGoogle = form === 'google'
    const events = wires[form].events(says).length
    // The last words of some forms are only a farewell: the reason to stop stood before them.
    for (let count = 0; count < events - (isGoogle ? 1 : 2); count += 1) {
      const { origin } = await startModelServer(form, tornAfter(says, count))
      expect([count, (await ask(form, origin, true)) instanceof ConsentryError]).toEqual([count, true])
    }
  })
})

test.each(forms.filter((form) => form !== 'google'))(
  'an answer of the form of %s is whole at its end mark, and its connection is let go, whoever leaves it open',
  async (form) => {
    const says = { text: ['Take ', 'the 10:05.'] }
    const open = stream(says, ({ go }) => {
      while (go());
    })
    const { origin, heard } = await startModelServer(form, open)
    const answer = await ask(form, origin, true)

    await heard[0]!.left
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'Take the 10:05.' }], stopReason: 'endTurn', usage: { input: 12, output: 3 } })
  },
)

function tornAfter(says: { readonly text: readonly string[] }, count: number): Reply {
  return stream(says, ({ go, cut }) => {
    for (let sent = 0; sent < count; sent += 1) go()
    setImmediate(cut)
  })
}
