import { expect, test } from 'vitest'
import { describeMissing, findMissing } from './capabilities.ts'

test.each([
  { required: { roots: {} }, declared: {}, missing: { roots: {} } },
  { required: { roots: {} }, declared: { roots: { listChanged: true } }, missing: undefined },
  { required: { sampling: {} }, declared: { elicitation: {} }, missing: { sampling: {} } },
  { required: { elicitation: { form: {} } }, declared: { elicitation: {} }, missing: undefined },
  { required: { elicitation: { form: {} } }, declared: { elicitation: { form: {} } }, missing: undefined },
  { required: { elicitation: { form: {} } }, declared: { elicitation: { url: {} } }, missing: { elicitation: { form: {} } } },
  { required: { elicitation: { url: {} } }, declared: { elicitation: {} }, missing: { elicitation: { url: {} } } },
  { required: { elicitation: { url: {} } }, declared: { elicitation: { form: {}, url: {} } }, missing: undefined },
])('$required against $declared lacks $missing', ({ required, declared, missing }) => {
  expect(findMissing(required, declared)).toEqual(missing)
})

test('a person reads which capability is missing and what to do', () => {
  const text = describeMissing('connect_airline', { elicitation: { url: {} } })

  expect(text).toContain('"elicitation.url"')
  expect(text).toContain('consentry wrap')
  expect(text).toContain('run it in a terminal, or give it an answers file')
})
