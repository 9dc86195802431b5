import { clientInfo } from '../client-info.ts'
import { exitCodes, type ExitCode } from '../exit.ts'
import type { Place } from '../place.ts'
import { showProgress } from '../progress.ts'
import { safeText } from '../terminal/safe-text.ts'
import { jsonLine } from '../write-out.ts'
import { checkConfig } from './check-config.ts'
import { checkDesk } from './check-desk.ts'
import { checkBrowser, checkNode, checkSandbox } from './check-machine.ts'
import { checkModels } from './check-models.ts'
import { checkServers } from './check-servers.ts'
import { checkState } from './check-state.ts'
import { checks, type Finding } from './finding.ts'

export interface DoctorOptions {
  /** Seconds that a server is given to start. */
  readonly wait: number
  readonly json?: boolean | undefined
}

/** `consentry doctor`: looks at everything that has to work, and says what to do where something does not. It changes nothing. */
export async function runDoctor({ wait, json }: DoctorOptions, place: Place): Promise<ExitCode> {
  const { config, findings: ofConfig } = await checkConfig(place)
  const progress = showProgress('looking', place)
  const onAwaited = (names: readonly string[]): void =>
    progress.update(names.length === 0 ? 'looking' : `waiting for ${names.map((name) => safeText(name, { maximum: 60 })).join(', ')}`)
  const [state, desk, models, sandbox, servers] = await Promise.all([
    checkState(place),
    checkDesk(place),
    checkModels(config.models, place),
    checkSandbox(place),
    checkServers(config, { waitMs: wait * 1000, environment: place.environment, signal: place.interrupted, onAwaited }, place),
  ]).finally(() => progress.stop())
  const all = [checkNode(), ...state, ...ofConfig, desk, ...models, ...sandbox, checkBrowser(place), ...servers]
  const findings = all.toSorted((one, other) => checks.indexOf(one.check) - checks.indexOf(other.check))
  const isWell = findings.every((finding) => finding.state !== 'wrong')
  if (json) place.stdout.write(jsonLine({ ok: isWell, version: clientInfo().version, checks: findings }))
  else for (const finding of findings) place.stdout.write(describe(finding))
  return isWell ? exitCodes.done : exitCodes.failed
}

const marks: Readonly<Record<Finding['state'], string>> = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' }

function describe({ check, about, state, says, advice }: Finding): string {
  const lines = safeText(says, { lines: true, maximum: 3000 }).replaceAll('\n', '\n        | ')
  const subject = about === undefined ? '' : `${safeText(about, { maximum: 300 })}: `
  return `${marks[state]}  ${check}: ${subject}${lines}\n${advice === undefined ? '' : `         -> ${safeText(advice)}\n`}`
}
