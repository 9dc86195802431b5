import { openDemoState } from './demo-state.ts'
import type { ExitCode } from './exit.ts'
import { hasTerminal, type Place } from './place.ts'
import type { UpOptions } from './up.ts'
import { canOpenBrowser } from './up-window.ts'

export interface DemoOptions extends Pick<UpOptions, 'port' | 'open' | 'json'> {
  /** The tour in this terminal, in place of the console. */
  readonly terminal?: boolean | undefined
}

/**
 * `consentry demo`: the desk with the travel server connected, and a tour through all that a server may ask; no key, no account, no network.
 * It has a state of its own, and touches nothing of the user's.
 *
 * On the other end of SSH, where nobody sees a browser of this machine, the tour is in the terminal.
 */
export async function runDemo({ terminal, ...options }: DemoOptions, place: Place): Promise<ExitCode> {
  const isFarAway = options.open && options.json !== true && isOverSsh(place) && !canOpenBrowser(place) && hasTerminal(place)
  if (isFarAway && terminal !== true) place.stderr.write(`consentry: ${FAR_AWAY}\n`)
  const demo = await openDemoState(place)
  if (terminal === true || isFarAway) {
    const { runTerminalTour } = await import('./demo-terminal.ts')
    return runTerminalTour(demo)
  }
  const { runUp } = await import('./up.ts')
  return runUp({ ...options, example: demo }, demo.place)
}

const FAR_AWAY = 'no browser can be opened over SSH, so that the tour is in this terminal; "consentry demo --no-open" prints the address of the console instead'

function isOverSsh({ environment }: Place): boolean {
  return ['SSH_CONNECTION', 'SSH_TTY'].some((name) => (environment[name] ?? '') !== '')
}
