import { describe, expect, test } from 'vitest'
import type { ConsentryError } from '../errors.ts'
import { Policy, type Rule } from '../policy/index.ts'
import type {
  Completion,
  Decision,
  Decisions,
  InputResponse,
  Origin,
  Phrase,
  Reviewer,
  ReviewKind,
  ReviewRequest,
  Revision,
  SamplingRequest,
  Settlement,
} from '../protocol/index.ts'
import type { Model } from './model.ts'
import type { Models } from './models.ts'
import { sample } from './sampling.ts'

const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Which flight?' } }], systemPrompt: 'Be brief', maxTokens: 100 }
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
const weather = { name: 'get_weather', inputSchema: { type: 'object' } } as const
const gpt: Model = { provider: 'lab', model: 'gpt', cost: { input: 10, output: 100 }, tools: true, contextTokens: 10_000 }
const seer: Model = { provider: 'lab', model: 'seer', modalities: ['text', 'image'] }
const said: Completion = { content: [{ type: 'text', text: 'The 10:05.' }], model: 'gpt-2026', stopReason: 'endTurn', usage: { input: 20, output: 7 } }
const call = { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Paris' } } as const

type Answer<Kind extends ReviewKind> = Decisions[Kind] | Exclude<Settlement<Kind>, { outcome: 'decided' }>

/** Somebody who decides as told, after the same checks that a person's decision goes through. */
class Person implements Reviewer {
  readonly seen: ReviewRequest<'prompt' | 'completion'>[] = []
  readonly #answers: { readonly prompt?: Answer<'prompt'>; readonly completion?: Answer<'completion'> }
  readonly #by: 'person' | 'script'

  constructor(answers: { readonly prompt?: Answer<'prompt'>; readonly completion?: Answer<'completion'> } = {}, by: 'person' | 'script' = 'person') {
    this.#answers = answers
    this.#by = by
  }

  canReview(): boolean {
    return true
  }

  async review<Kind extends ReviewKind>(request: ReviewRequest<Kind>): Promise<Settlement<Kind>> {
    this.seen.push(request as unknown as ReviewRequest<'prompt' | 'completion'>)
    const answer = this.#answers[request.kind as 'prompt' | 'completion'] ?? { outcome: 'nobody' as const }
    if ('outcome' in answer) return answer
    const decision = answer as unknown as Decision<Kind>
    const faults = (await request.check?.(decision)) ?? []
    return faults.length > 0 ? { outcome: 'unfit', faults } : { outcome: 'decided', decision, by: this.#by }
  }
}

class Shelf implements Models {
  readonly asked: { readonly name: string; readonly request: SamplingRequest }[] = []
  readonly #models: readonly Model[]
  readonly #answer: (signal: AbortSignal) => Promise<Completion>

  constructor(models: readonly Model[] = [gpt], answer: Completion | Error | ((signal: AbortSignal) => Promise<Completion>) = said) {
    this.#models = models
    this.#answer = typeof answer === 'function' ? answer : () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer))
  }

  get size(): number {
    return this.#models.length
  }

  list(): readonly Model[] {
    return this.#models
  }

  leavesOut(_name: string, { metadata }: SamplingRequest): readonly Phrase[] {
    return metadata ? [{ key: 'metadata-left-out', sentence: 'metadata' }] : []
  }

  complete(name: string, request: SamplingRequest, signal: AbortSignal): Promise<Completion> {
    this.asked.push({ name, request })
    return this.#answer(signal)
  }
}

interface Scene {
  readonly params?: unknown
  readonly person?: Reviewer
  readonly models?: Models
  readonly rules?: readonly Rule[]
  readonly policy?: Policy
  readonly revision?: Revision
  readonly samplingTools?: boolean
  readonly signal?: AbortSignal
}

function ask(scene: Scene = {}): Promise<InputResponse> {
  const {
    person = new Person(),
    models = new Shelf(),
    policy = new Policy({ rules: scene.rules ?? [] }),
    revision = '2025-11-25',
    samplingTools = true,
  } = scene
  const origin: Origin = { server: { name: 'travel', named: true, target: { kind: 'custom', description: 'test' } }, connection: 'c', era: 'legacy', revision }
  const capabilities = { roots: true, form: true, url: true, sampling: true, samplingTools }
  const request = { kind: 'sampling', params: 'params' in scene ? scene.params : params, revision } as const
  return sample(request, origin, { policy, reviewer: person, capabilities, models }, scene.signal ?? new AbortController().signal)
}

const approve = { action: 'approve' } as const
const yes = { prompt: approve, completion: approve }

function write(content: Completion['content'], more: Partial<Completion> = {}): { readonly prompt: Decision<'prompt'> } {
  return { prompt: { action: 'write', completion: { content, model: 'scripted', ...more } } }
}

function refusal(response: InputResponse): unknown {
  if (response.outcome !== 'refused') return response
  const { by, unanswered, error, facts } = response
  return { code: error.code, by, ...(unanswered && { unanswered }), ...(facts && { facts }) }
}

describe('with a person', () => {
  test('the request is reviewed, a model answers, the answer is reviewed, and then it leaves', async () => {
    const person = new Person(yes)
    const models = new Shelf()

    const response = await ask({ person, models })

    const shown = { messages: [{ role: 'user', content: [params.messages[0]!.content] }], systemPrompt: 'Be brief', maxTokens: 100 }
    expect(response).toEqual({
      outcome: 'answered',
      by: 'person',
      result: { role: 'assistant', content: { type: 'text', text: 'The 10:05.' }, model: 'gpt-2026', stopReason: 'endTurn' },
      facts: {
        model: 'lab:gpt',
        why: 'lab:gpt',
        promptEdited: false,
        completionEdited: false,
        inputTokens: 20,
        outputTokens: 7,
        cost: 0.0009,
      },
    })
    const estimate = { inputTokens: 10, outputTokens: 100, cost: 0.0101 }
    const choice = { model: 'lab:gpt', why: 'lab:gpt', reasons: [] }
    expect(person.seen.map(({ kind, subject }) => ({ kind, subject }))).toEqual([
      { kind: 'prompt', subject: { request: shown, choice, estimate, models: [{ model: 'lab:gpt', estimate, notes: [] }] } },
      { kind: 'completion', subject: { request: shown, completion: said, choice } },
    ])
    expect(models.asked).toEqual([{ name: 'lab:gpt', request: shown }])
  })

  test('an edited prompt is what the model receives, an edited answer is what the server receives', async () => {
    const edited: SamplingRequest = { messages: [{ role: 'user', content: [{ type: 'text', text: 'Any flight?' }] }], maxTokens: 50 }
    const models = new Shelf()
    const corrected = { ...said, content: [{ type: 'text', text: 'The 11:00.' }], model: 'forged', usage: { input: 0 } } as const
    const person = new Person({ prompt: { action: 'approve', request: edited }, completion: { action: 'approve', completion: corrected } })

    const response = await ask({ person, models })

    expect(models.asked).toEqual([{ name: 'lab:gpt', request: edited }])
    expect(response).toMatchObject({
      result: { content: { type: 'text', text: 'The 11:00.' }, model: 'gpt-2026' },
      facts: { promptEdited: true, completionEdited: true, outputTokens: 7 },
    })
  })

  test('denying at either review is "User rejected sampling request", and a denied prompt reaches no model', async () => {
    const models = new Shelf()

    const prompt = await ask({ person: new Person({ prompt: { action: 'deny' } }), models })
    const completion = await ask({ person: new Person({ prompt: approve, completion: { action: 'deny' } }) })

    expect(models.asked).toEqual([])
    expect([refusal(prompt), refusal(completion)]).toMatchObject([
      { code: 'SAMPLING_DENIED', by: 'person', facts: { review: 'prompt' } },
      { code: 'SAMPLING_DENIED', by: 'person', facts: { review: 'completion', inputTokens: 20 } },
    ])
    expect((prompt as { error: ConsentryError }).error.message).toBe('User rejected sampling request')
  })

  test('rule 2: closing either review is no answer, never a refusal of the person, and never as if nobody had been there', async () => {
    const prompt = await ask({ person: new Person({ prompt: { action: 'cancel' } }) })
    const completion = await ask({ person: new Person({ prompt: approve, completion: { action: 'cancel' } }) })

    const end = { outcome: 'refused', by: 'person', error: { code: 'NO_ONE_TO_ASK', data: { reason: 'closed' } } }
    expect([prompt, completion]).toMatchObject([
      { ...end, facts: { review: 'prompt', closed: true } },
      { ...end, facts: { review: 'completion', closed: true, inputTokens: 20 } },
    ])
    expect([prompt, completion].filter((response) => 'unanswered' in response)).toEqual([])
  })

  test('a person writes the answer: the model is "person", and no second review follows', async () => {
    const person = new Person(write([{ type: 'text', text: 'Take the train.' }], { model: 'gpt-2026' }))
    const models = new Shelf()

    const response = await ask({ person, models })

    expect(response).toMatchObject({
      by: 'person',
      result: { role: 'assistant', content: { type: 'text', text: 'Take the train.' }, model: 'person', stopReason: 'endTurn' },
    })
    expect({ reviews: person.seen.length, asked: models.asked }).toEqual({ reviews: 1, asked: [] })
  })

  test("another of the user's models can be named, and one that is not theirs cannot", async () => {
    const models = new Shelf([gpt, seer])

    await ask({ person: new Person({ ...yes, prompt: { action: 'approve', model: 'lab:seer' } }), models })
    const stranger = await ask({ person: new Person({ prompt: { action: 'approve', model: 'lab:opus' } }), models })

    expect(models.asked.map(({ name }) => name)).toEqual(['lab:seer'])
    expect(refusal(stranger)).toMatchObject({
      code: 'NO_ONE_TO_ASK',
      unanswered: 'answer-does-not-fit',
      facts: { faults: [{ field: 'model', problem: 'model-unknown' }] },
    })
  })

  test('what the model cannot be given is said before anybody approves', async () => {
    const person = new Person(yes)

    await ask({ person, params: { ...params, maxTokens: 1e9, metadata: { trace: 1 } }, models: new Shelf([{ ...gpt, contextTokens: 1_000_000 }]) })

    expect(person.seen[0]?.subject).toMatchObject({
      request: { maxTokens: 32_768 },
      choice: { why: 'lab:gpt; answer cut to 32768 tokens; leaves out metadata' },
    })
  })
})

describe('with nobody', () => {
  test.each<[Exclude<Settlement<'prompt'>, { outcome: 'decided' }>, string]>([
    [{ outcome: 'nobody' }, 'no-one-to-ask'],
    [{ outcome: 'timed-out' }, 'timed-out'],
    [{ outcome: 'desk-closed' }, 'desk-closed'],
    [{ outcome: 'too-many-waiting' }, 'too-many-waiting'],
  ])('%j is never a denial', async (prompt, reason) => {
    const response = await ask({ person: new Person({ prompt }) })

    expect(response).toMatchObject({ outcome: 'refused', by: 'none', unanswered: reason, error: { code: 'NO_ONE_TO_ASK', data: { reason } } })
  })

  test('an answer that nobody looked at does not leave', async () => {
    expect(refusal(await ask({ person: new Person({ prompt: approve, completion: { outcome: 'timed-out' } }) }))).toMatchObject({
      code: 'NO_ONE_TO_ASK',
      unanswered: 'timed-out',
    })
  })

  test('a request that was taken back ends without a word', async () => {
    expect(await ask({ person: new Person({ prompt: { outcome: 'withdrawn', reason: 'the server took it back' } }) })).toEqual({
      outcome: 'withdrawn',
      reason: 'the server took it back',
    })
  })
})

describe('with rules', () => {
  const allow: Rule = { server: 'travel', request: 'sampling', decision: 'allow' }

  test('a rule that allows skips both reviews', async () => {
    const person = new Person()

    const response = await ask({ person, rules: [allow] })

    expect(response).toMatchObject({
      outcome: 'answered',
      by: 'rule',
      result: { model: 'gpt-2026' },
      facts: { rule: 'rules[0]', model: 'lab:gpt', outputTokens: 7 },
    })
    expect(person.seen).toEqual([])
  })

  test('a rule cannot write for a person: where no model can answer, somebody is asked', async () => {
    const seeing = { ...params, messages: [{ role: 'user', content: image }] }
    const person = new Person()

    const responses = [await ask({ person, rules: [allow], models: new Shelf([]) }), await ask({ person, rules: [allow], params: seeing })]

    expect(responses.map(refusal)).toMatchObject([{ code: 'NO_ONE_TO_ASK' }, { code: 'NO_ONE_TO_ASK' }])
    expect(person.seen.map(({ subject }) => (subject as { choice: unknown }).choice)).toMatchObject([
      { model: 'person', why: 'no model is configured' },
      { model: 'person', why: 'no configured model takes images' },
    ])
  })

  test('a rule that denies asks nobody', async () => {
    const person = new Person(yes)

    expect(refusal(await ask({ person, rules: [{ ...allow, decision: 'deny' }] }))).toEqual({
      code: 'SAMPLING_DENIED',
      by: 'rule',
      facts: { rule: 'rules[0]' },
    })
    expect(person.seen).toEqual([])
  })
})

describe('with a script', () => {
  test('a given answer goes out under the name that the script gives, with its tool calls', async () => {
    const person = new Person(write([{ type: 'text', text: 'Looking.' }, call], { model: 'scripted-1' }), 'script')

    const response = await ask({ person, params: { ...params, tools: [weather] } })

    expect(response).toEqual({
      outcome: 'answered',
      by: 'script',
      result: { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }, call], model: 'scripted-1', stopReason: 'toolUse' },
      facts: { model: 'scripted-1', written: true },
    })
  })

  test('a model that the script names is really asked', async () => {
    const models = new Shelf([gpt, seer])

    const response = await ask({ person: new Person({ ...yes, prompt: { action: 'approve', model: 'lab:seer' } }, 'script'), models })

    expect(models.asked.map(({ name }) => name)).toEqual(['lab:seer'])
    expect(response).toMatchObject({ by: 'script', facts: { model: 'lab:seer', why: 'lab:seer; named in the review' } })
  })
})

describe('what leaves', () => {
  test('one block stands alone without tools, and in a list with them', async () => {
    const alone = await ask({ person: new Person(yes) })
    const listed = await ask({ person: new Person(yes), params: { ...params, tools: [weather] } })

    expect([alone, listed]).toMatchObject([{ result: { content: { type: 'text' } } }, { result: { content: [{ type: 'text' }] } }])
  })

  test('what a server of an older revision does not know is refused by name', async () => {
    const models = new Shelf([gpt], { ...said, content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] })

    expect(await ask({ person: new Person(yes), models, revision: '2024-11-05' })).toMatchObject({
      outcome: 'refused',
      error: {
        code: 'MODEL_FAILED',
        message: 'lab:gpt gave an answer that cannot be sent: content[0] is "audio", which a server of revision 2024-11-05 does not know',
      },
    })
  })
})

describe('what goes wrong', () => {
  test('an invalid request is refused before anybody is asked', async () => {
    const person = new Person(yes)

    const responses = [await ask({ person, params: { messages: [{ role: 'user', content: 'hi' }], maxTokens: 1 } }), await ask({ person, params: undefined })]

    expect(responses.map(refusal)).toEqual([
      { code: 'SAMPLING_INVALID', by: 'none' },
      { code: 'SAMPLING_INVALID', by: 'none' },
    ])
    expect(person.seen).toEqual([])
  })

  test('tools are refused where sampling.tools was not declared, or the revision has none', async () => {
    const tools = { ...params, tools: [weather] }

    const responses = [await ask({ params: tools, samplingTools: false }), await ask({ params: tools, revision: '2025-06-18' })]

    expect(responses.map(refusal)).toMatchObject([{ code: 'SAMPLING_INVALID' }, { code: 'SAMPLING_INVALID' }])
  })

  test('an error of ours is a refusal too', async () => {
    const policy = {
      decide: () => {
        throw new TypeError('oops')
      },
      reserve: () => Promise.reject(new Error('oops')),
    } as unknown as Policy

    expect(await ask({ policy })).toMatchObject({
      outcome: 'refused',
      by: 'none',
      error: { code: 'INTERNAL', message: 'The completion could not be made: an error of ours' },
    })
  })

  test('a request that is taken back while the model works ends without a word', async () => {
    const asker = new AbortController()
    const models = new Shelf([gpt], () => {
      asker.abort(new Error('the call was cancelled'))
      return new Promise(() => {})
    })

    expect(await ask({ person: new Person(yes), models, signal: asker.signal })).toEqual({ outcome: 'withdrawn', reason: 'the call was cancelled' })
  })

  test('a request that is taken back before it begins asks nobody', async () => {
    const person = new Person(yes)

    expect(await ask({ person, signal: AbortSignal.abort() })).toEqual({ outcome: 'withdrawn', reason: 'the request was taken back' })
    expect(person.seen).toEqual([])
  })
})
