import { describeAnswers } from './contract-answers.ts'
import { describeLife } from './contract-life.ts'
import type { DeskMaker } from './contract-parts.ts'

/** What every desk must do, whoever decides behind it. */
export function describeDesk(name: string, maker: DeskMaker): void {
  describeAnswers(name, maker)
  describeLife(name, maker)
}
