import type { Field } from '../../protocol/index.ts'
import { words } from './words.ts'

/** A line for each answer that is another one than the server proposed; of secrets only that they differ. */
export function describeChanges(fields: readonly Field[], answers: Readonly<Record<string, unknown>>): readonly string[] {
  return fields.flatMap((field) => {
    const { name, label, default: proposed, secret } = field
    if (proposed === undefined || !Object.hasOwn(answers, name)) return []
    const before = JSON.stringify(proposed)
    if (JSON.stringify(answers[name]) === before) return []
    return [words.changedFrom(label, secret ? undefined : before, answers[name] === null)]
  })
}
