import { describe, expect, test } from 'vitest'
import { MemoryAudit } from '../audit/index.ts'
import { fingerprintOf } from '../elicitation/index.ts'
import { Policy, type Rule } from '../policy/index.ts'
import type { InputRequest, JsonObject } from '../protocol/index.ts'
import {
  allQuestions,
  answerAt,
  modelQuestion,
  oneModel,
  resultOf,
  rootsQuestion,
  seatQuestion,
  visitQuestion,
  written,
  yesToAll,
  type DeskMaker,
  type GivenAnswers,
} from './contract-parts.ts'

const seat = seatQuestion.params as { readonly message: string; readonly requestedSchema: JsonObject }
const seatRule: Rule = {
  server: 'travel',
  request: 'elicitation',
  message: seat.message,
  schema: fingerprintOf({ schema: seat.requestedSchema }),
  decision: 'allow',
  content: { seat: 'window' },
}

/** What every desk answers, and what it refuses. */
export function describeAnswers(name: string, { decidedBy, create }: DeskMaker): void {
  const answer = answerAt(create)

  describe(`${name}: what is decided`, () => {
    test('a form is answered with the values that were given, and a visit without any', async () => {
      expect(await answer(seatQuestion, { form: { action: 'accept', content: { seat: 'aisle' } } })).toMatchObject({
        outcome: 'answered',
        by: decidedBy,
        result: { action: 'accept', content: { seat: 'aisle' } },
      })
      expect(await answer(visitQuestion('e1'), { url: { action: 'accept' } })).toMatchObject({ by: decidedBy, result: { action: 'accept' } })
      expect(resultOf(await answer(visitQuestion('e1'), { url: { action: 'accept' } }))).toEqual({ action: 'accept' })
    })

    test.each(['decline', 'cancel'] as const)('%s is told as such, without content', async (action) => {
      expect(resultOf(await answer(seatQuestion, { form: { action } }))).toEqual({ action })
      expect(resultOf(await answer(visitQuestion('e1'), { url: { action } }))).toEqual({ action })
    })

    test('a completion that was written leaves under the name of who wrote it', async () => {
      expect(await answer(modelQuestion, { prompt: { action: 'write', completion: written } })).toMatchObject({
        outcome: 'answered',
        by: decidedBy,
        result: {
          role: 'assistant',
          content: { type: 'text', text: 'The 10:05.' },
          model: decidedBy === 'person' ? 'person' : 'scripted',
          stopReason: 'endTurn',
        },
      })
    })

    test('an approved request is answered by the model', async () => {
      const models = oneModel(() => ({ content: [{ type: 'text', text: 'Take the train.' }], model: 'one-2026', stopReason: 'endTurn' }))
      const response = await answer(modelQuestion, { prompt: { action: 'approve', model: 'test:one' }, completion: { action: 'approve' } }, { models })

      expect(response).toMatchObject({ outcome: 'answered', by: decidedBy, result: { content: { text: 'Take the train.' }, model: 'one-2026' } })
    })

    test('a denied completion is refused as the person said', async () => {
      expect(await answer(modelQuestion, { prompt: { action: 'deny' } })).toMatchObject({
        outcome: 'refused',
        by: decidedBy,
        error: { code: 'SAMPLING_DENIED' },
      })
    })

    test('granted folders are told, and denied ones are an empty list', async () => {
      const granted = await answer(rootsQuestion, { folders: { action: 'grant', roots: [{ path: '/home/ada/trip' }] } })

      expect(granted).toMatchObject({ outcome: 'answered', by: decidedBy, result: { roots: [{ uri: 'file:///home/ada/trip' }] } })
      expect(await answer(rootsQuestion, { folders: { action: 'deny' } })).toMatchObject({ by: decidedBy, result: { roots: [] } })
    })

    test('an answer that does not fit is never sent', async () => {
      const unfit: GivenAnswers = {
        form: { action: 'accept', content: { seat: 'cockpit' } },
        prompt: { action: 'approve', model: 'test:unknown' },
        folders: { action: 'grant', roots: [{ path: '/home/ada/nowhere' }] },
      }

      expect(resultOf(await answer(seatQuestion, unfit))).toEqual({ action: 'cancel' })
      expect(await answer(modelQuestion, unfit)).toMatchObject({ outcome: 'refused' })
      expect(resultOf(await answer(rootsQuestion, unfit))).toEqual({ roots: [] })
    })

    test("a rule of the user's comes first", async () => {
      const denying = new Policy({ rules: [{ server: 'travel', decision: 'deny' }] })
      const accepting = new Policy({ rules: [seatRule] })
      const denied = await Promise.all(allQuestions.map((question) => answer(question, yesToAll, { policy: denying })))

      expect(denied).toMatchObject([
        { by: 'rule', result: { action: 'decline' } },
        { by: 'rule', result: { action: 'decline' } },
        { by: 'rule', error: { code: 'SAMPLING_DENIED' } },
        { by: 'rule', result: { roots: [] } },
      ])
      expect(await answer(seatQuestion, yesToAll, { policy: accepting })).toMatchObject({ by: 'rule', result: { content: { seat: 'window' } } })
    })
  })

  describe(`${name}: what is refused`, () => {
    test.each<[string, InputRequest, string]>([
      ['a form without a message', asking({ requestedSchema: { type: 'object', properties: {} } }), 'ELICITATION_INVALID'],
      ['a form without a schema', asking({ message: 'Who?' }), 'ELICITATION_INVALID'],
      ['a mode that nobody knows', asking({ mode: 'telepathy', message: 'Who?' }), 'ELICITATION_INVALID'],
      [
        'a nested form',
        asking({ message: 'Who?', requestedSchema: { type: 'object', properties: { who: { type: 'object', properties: {} } } } }),
        'FORM_SCHEMA_INVALID',
      ],
      ['an address that runs', asking({ mode: 'url', elicitationId: 'e1', message: 'Go', url: 'javascript:alert(1)' }), 'URL_REFUSED'],
      ['a completion of nothing', { ...modelQuestion, params: { messages: [], maxTokens: 1 } }, 'SAMPLING_INVALID'],
      ['folders with a list of parameters', { ...rootsQuestion, params: [] }, 'PROTOCOL_VIOLATION'],
    ])('%s is refused before anybody is asked', async (_, question, code) => {
      const audit = new MemoryAudit()

      expect(await answer(question, yesToAll, { audit })).toMatchObject({ outcome: 'refused', by: 'none', error: { code } })
      expect(audit.entries.map(({ event }) => event)).toEqual(['asked', 'answered'])
    })
  })
}

function asking(params: Record<string, unknown>): InputRequest {
  return { ...seatQuestion, params }
}
