import type { Field, Form, JsonObject } from '../../../src/console-api/contract.ts'

/** Answers by field name, in three states: absent is untouched, `null` is left out on purpose, anything else is set. Names are data: `__proto__` is one like any other. */
export type Answers = ReadonlyMap<string, unknown>

export function withAnswer(answers: Answers, name: string, value: unknown): Answers {
  const next = new Map(answers)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  return next
}

/** As the desk takes it: untouched fields stay away, so that their default holds. */
export function contentOf(answers: Answers): Readonly<Record<string, unknown>> {
  return Object.fromEntries(answers)
}

/** What other windows may see: never what was typed into a field that asks for a secret. */
export function draftOf(answers: Answers, { fields }: Form): Readonly<Record<string, unknown>> {
  const secrets = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name))
  return Object.fromEntries([...answers].filter(([name]) => !secrets.has(name)))
}

/** The answers of a draft, and with them the secrets that were typed here. */
export function answersFrom(draft: Readonly<Record<string, unknown>>, own: Answers, { fields }: Form): Answers {
  const secrets = fields.flatMap(({ name, secret }) => (secret && own.has(name) ? [[name, own.get(name)] as const] : []))
  return new Map([...Object.entries(draft), ...secrets])
}

/** What stands in a field now, set or suggested; undefined where nothing would be sent. */
export function valueOf(field: Field, answers: Answers): unknown {
  return answers.has(field.name) ? (answers.get(field.name) ?? undefined) : field.default
}

/** The values that a rule would answer with: suggestions as they stand now, and `null` for what is left out on purpose. */
export function standingContent({ fields }: Form, answers: Answers): JsonObject {
  const values = fields.map((field) => [field.name, answers.has(field.name) ? answers.get(field.name) : field.default] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as JsonObject
}

const MASK = '••••••'

/** What goes out, in the server's order; secrets as dots. */
export function shownContent({ fields }: Form, answers: Answers): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(field, answers)
      return value === undefined ? [] : [[field.name, field.secret ? MASK : value]]
    }),
  )
}
