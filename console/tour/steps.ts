import type { ToolCall } from '../../src/console-api/contract.ts'

/** The server of the demo. */
export const SERVER = 'travel'

/** What the tour shows, in its order: a welcome, a tool for each thing that a server may ask, and where all of it is written down. */
export const steps = [
  { name: 'welcome' },
  { name: 'folders', tool: 'list_trips' },
  { name: 'form', tool: 'book_trip' },
  { name: 'model', tool: 'findBestFlight' },
  { name: 'page', tool: 'connect_airline' },
  { name: 'log' },
] as const

export type Step = (typeof steps)[number]

/** The latest call of a step's tool. */
export function callOf(step: Step, calls: readonly ToolCall[]): ToolCall | undefined {
  return 'tool' in step ? calls.findLast(({ server, tool }) => server === SERVER && tool === step.tool) : undefined
}

/** Where a tour goes on that was begun in this run of the desk: with what was asked last, or at its end where that is over. */
export function lastStep(calls: readonly ToolCall[]): number {
  const last = steps.findLastIndex((step) => callOf(step, calls) !== undefined)
  const isOver = last === steps.length - 2 && callOf(steps[last]!, calls)?.state !== 'running'
  return Math.max(0, isOver ? last + 1 : last)
}
