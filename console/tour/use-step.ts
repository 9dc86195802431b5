import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ToolCall } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { waitingOf } from '../desk/desk-view.ts'
import { askAnew } from '../inbox/asked-anew.ts'
import { callOf, lastStep, SERVER, steps, type Step } from './steps.ts'

/** How it stands with a step: `ready` to be asked for, waiting for a person or for the server, or over. */
export type StepState = 'told' | 'starting' | 'broken' | 'ready' | 'waiting' | 'working' | 'done' | 'failed'

export interface CurrentStep {
  readonly step: Step
  readonly index: number
  readonly state: StepState
  readonly call: ToolCall | undefined
  readonly error: Error | null
  readonly go: (by: 1 | -1) => void
  /** Has the server ask what this step shows, and goes where it is answered. */
  readonly ask: () => void
  /** Where the question is that waits. */
  readonly question: string | undefined
}

export function useStep(): CurrentStep {
  const desk = useDesk()
  const [, goTo] = useLocation()
  const [index, setIndex] = useState(() => lastStep(desk.calls))
  const calling = useAct('tools/call')
  const step = steps[index]!
  const call = callOf(step, desk.calls)
  const waiting = waitingOf(desk).find(({ asker }) => asker.server === SERVER)
  const server = desk.servers.find(({ name }) => name === SERVER)

  const stateOf = (tool: boolean): StepState => {
    if (!tool) return 'told'
    if (waiting !== undefined) return 'waiting'
    if (calling.isPending || call?.state === 'running') return 'working'
    if (call !== undefined) return call.state === 'done' && call.result?.isError !== true ? 'done' : 'failed'
    if (server?.state === 'ready') return 'ready'
    return server?.state === 'failed' || server?.state === 'stopped' ? 'broken' : 'starting'
  }
  const ask = (): void => {
    if (!('tool' in step)) return
    calling.mutate({ server: SERVER, tool: step.tool, arguments: {} })
    goTo('/inbox', askAnew(SERVER, desk.reviews))
  }
  return {
    step,
    index,
    state: stateOf('tool' in step),
    call,
    error: calling.error,
    go: (by) => {
      calling.reset()
      setIndex(Math.min(Math.max(index + by, 0), steps.length - 1))
    },
    ask,
    question: waiting && `/inbox/${encodeURIComponent(waiting.id)}`,
  }
}
