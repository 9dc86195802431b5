import type { HeldCommand, Layout, StartCommand } from './boundary.ts'
import type { Machine } from './machine.ts'

/** A server that is to be held: what every way to do it begins with. */
export interface Captive {
  /** Its own command, its program found. */
  readonly start: StartCommand
  readonly layout: Layout
  readonly isOffline: boolean
  /** Folders that it can write: nothing in them may hold it. */
  readonly writable: readonly string[]
  /** Folders that are there, and that it must not see. */
  readonly secret: readonly string[]
  readonly machine: Machine
}

/** The same, held; or why it cannot be done in this way. @param why those before it could not do it */
export type HoldingWay = (captive: Captive, why: readonly string[]) => Promise<Omit<HeldCommand, 'roots' | 'granted'> | string>

const known = new WeakMap<Machine, Map<string, unknown>>()

/** Asks a machine something that takes a while. What has worked once in this process works again; what has not is tried anew. */
export async function rememberIf<Answer>(machine: Machine, question: string, isGood: (answer: Answer) => boolean, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = known.get(machine) ?? new Map<string, unknown>()
  known.set(machine, answers)
  if (answers.has(question)) return answers.get(question) as Answer
  const answer = await ask()
  if (isGood(answer)) answers.set(question, answer)
  return answer
}
