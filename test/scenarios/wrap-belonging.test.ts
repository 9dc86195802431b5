import { expect, test } from 'vitest'
import { DeskProgram } from '../fixtures/desk-program.ts'
import { askingServer, node, Workplace } from '../fixtures/program.ts'
import { connectThroughWrap, wordsOf, type ClientKind } from '../fixtures/wrapped.ts'

const LONG = 180_000
const CALLS = 50
const kinds: readonly ClientKind[] = ['SDK v1', 'SDK v2', 'SDK v2, 2026-07-28']

/** The calls, each of which asks a form, a page, a model or for folders, with its own number in the question. */
const calls = Array.from({ length: CALLS }, (_, number) => ({ name: 'mine', arguments: { kind: ['form', 'url', 'model', 'roots'][number % 4], number } }))

/** What each of them is answered: its own number, where the answer can carry one. */
const expected = calls.map(({ arguments: { kind, number } }) => {
  if (kind === 'form') return `${number}: form accept me ${number}`
  if (kind === 'url') return `${number}: url ${number % 8 === 1 ? 'accept' : 'decline'}`
  return kind === 'model' ? `${number}: model answer ${number}` : `${number}: roots state-free`
})

test.each(kinds)(
  'fifty calls at once of a client (%s), with every kind of question, answered from a script: no answer reaches another call',
  async (kind) => {
    const place = new Workplace()
    const answers = calls.map(({ arguments: { kind: asked, number } }) => {
      const message = `*number ${number}!`
      if (asked === 'form') return { when: { request: 'elicitation', mode: 'form', message }, then: { action: 'accept', content: { who: `me ${number}` } } }
      if (asked === 'url') return { when: { request: 'elicitation', mode: 'url', message }, then: { action: number % 8 === 1 ? 'accept' : 'decline' } }
      if (asked === 'model') return { when: { request: 'sampling', message }, then: { action: 'approve', text: `answer ${number}` } }
      return { when: { request: 'roots' }, then: { action: 'deny' } }
    })
    const era = kind === 'SDK v2, 2026-07-28' ? 'modern' : 'legacy'
    const client = await connectThroughWrap(kind, place, ['--answers', place.answers(...answers), '--', node, askingServer, era])
    const results = await Promise.all(calls.map((call) => client.callTool(call)))

    expect(results.map(wordsOf)).toEqual(expected)
  },
  LONG,
)

test.each(['legacy', 'modern'] as const)(
  'two clients with a wrap each (%s), and one person who answers as the forms come, last first: each call gets its own answer',
  async (era) => {
    const place = new Workplace()
    const desk = await DeskProgram.start(place)
    const kind = era === 'modern' ? 'SDK v2, 2026-07-28' : 'SDK v2'
    const clients = await Promise.all(['one', 'two'].map((name) => connectThroughWrap(kind, place, ['--name', name, '--', node, askingServer, era])))
    const asked = clients.flatMap((client, turn) =>
      Array.from({ length: 8 }, (_, index) => {
        const number = turn * 100 + index
        return { number, result: client.callTool({ name: 'mine', arguments: { kind: 'form', number } }) }
      }),
    )
    const seen = new Set<string>()
    const reviews = []
    while (reviews.length < asked.length) {
      const review = await desk.review(({ id }) => !seen.has(id))
      seen.add(review.id)
      reviews.push(review)
    }
    for (const review of reviews.toReversed()) {
      const { review: detail } = (await desk.person.call('review/get', { id: review.id })) as {
        readonly review: { readonly subject: { readonly message: string } }
      }
      const number = /number (\d+)!/.exec(detail.subject.message)![1]!
      await desk.decide(review, { action: 'accept', content: { who: `${review.asker.server} ${number}` } })
    }
    const results = await Promise.all(asked.map(({ result }) => result))

    expect(results.map(wordsOf)).toEqual(asked.map(({ number }) => `${number}: form accept ${number < 100 ? 'one' : 'two'} ${number}`))
  },
  LONG,
)
