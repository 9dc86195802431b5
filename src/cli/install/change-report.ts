import { redact } from '../../audit/index.ts'
import type { EntryPlan } from '../../clients/index.ts'
import { exitCodeOf, exitCodes, type ExitCode } from '../exit.ts'
import type { Place } from '../place.ts'
import { safeText } from '../terminal/safe-text.ts'
import { jsonLine } from '../write-out.ts'
import type { FoundFile } from './find-files.ts'
import type { ChangeOptions, ChangePlan, PlannedFile } from './planned-file.ts'
import type { Proof } from './prove-entry.ts'

/** `already`: as it should be. `left`: it is not changed, and why. `remains`: it was changed, and leads to us even so. `failed`: it was tried, and does not work. */
export type ServerState = 'wrapped' | 'unwrapped' | 'would-change' | 'already' | 'left' | 'remains' | 'failed'

interface ServerRow {
  readonly name: string
  readonly project?: string | undefined
  state: ServerState
  why?: string | undefined
  /** What was started: the server behind our words, or our words alone. */
  tried?: 'server' | 'words' | undefined
  notes: readonly string[]
}

interface FileRow {
  readonly client: string
  readonly file: string
  state: 'changed' | 'would-change' | 'unchanged' | 'refused'
  why?: string | undefined
  diff?: string | undefined
  backup?: string | undefined
  readonly servers: ServerRow[]
}

/** What `install` and `uninstall` say: while they work for people, at the end as one object for scripts. */
export class ChangeReport {
  readonly #command: 'install' | 'uninstall'
  readonly #options: ChangeOptions
  readonly #place: Place
  readonly #files = new Map<FoundFile, FileRow>()
  readonly #servers = new Map<EntryPlan, ServerRow>()
  #code: ExitCode = exitCodes.done

  constructor(command: 'install' | 'uninstall', options: ChangeOptions, place: Place) {
    this.#command = command
    this.#options = options
    this.#place = place
  }

  /** What would become of a file, shown before anything is done. */
  plan({ found, plans }: PlannedFile, diff: string | undefined): void {
    const servers = plans.map((plan) => {
      const { name, project } = plan.entry
      const row: ServerRow =
        plan.action === 'change'
          ? { name, project, state: 'would-change', notes: plan.notes }
          : { name, project, state: plan.action === 'keep' ? 'already' : 'left', why: plan.why, notes: [] }
      this.#servers.set(plan, row)
      return row
    })
    if (this.#command === 'uninstall' && plans.some(({ action }) => action === 'skip')) this.#code ||= exitCodes.failed
    // What stands in it may be secret, and a terminal is often shown to others.
    const shown = diff && redact(diff)
    const { client, file } = found
    this.#files.set(found, { client, file, state: diff === undefined ? 'unchanged' : 'would-change', diff: shown, servers })
    this.#say(`${client}: ${safeText(file)}`)
    if (servers.length === 0) this.#say(this.#command === 'install' ? '  no servers' : '  nothing of ours')
    for (const row of servers) if (row.state !== 'would-change') this.#sayServer(row, '')
    if (shown !== undefined) this.#write(`\n${safeText(shown, { lines: true, maximum: 100_000 })}\n`)
  }

  /** A file that cannot be used at all. */
  refuse(found: FoundFile): void {
    const { client, file, fault } = found
    if (fault === undefined) return
    this.#files.set(found, { client, file, state: 'refused', why: fault.message, servers: [] })
    this.#place.stderr.write(`consentry: ${safeText(fault.message)}. It is not touched\n`)
    this.#code ||= exitCodeOf(fault)
  }

  /** What came of trying an entry. */
  prove(plan: ChangePlan, proof: Proof): void {
    const row = this.#servers.get(plan)!
    row.tried = proof.ok && proof.without !== undefined ? 'words' : 'server'
    if (proof.ok && proof.without !== undefined) row.notes = [...row.notes, `tried without the server: ${proof.without}`]
    if (proof.ok) return
    Object.assign(row, { state: 'failed', why: proof.why })
    this.#code ||= exitCodes.unreachable
  }

  written(found: FoundFile, plans: readonly ChangePlan[], backup: string): void {
    Object.assign(this.#files.get(found)!, { state: 'changed', backup })
    for (const plan of plans) {
      const row = this.#servers.get(plan)!
      row.state = this.#command === 'install' ? 'wrapped' : 'unwrapped'
      if (plan.remains === undefined) continue
      Object.assign(row, { state: 'remains', why: plan.remains })
      this.#code ||= exitCodes.failed
    }
  }

  /** A file that was to be changed, and is as it was. */
  leaveFile(found: FoundFile, why: string, code: ExitCode): void {
    const row = this.#files.get(found)!
    Object.assign(row, { state: 'refused', why })
    for (const server of row.servers) if (server.state === 'would-change') Object.assign(server, { state: 'left', why })
    this.#place.stderr.write(`consentry: ${safeText(why.includes(found.file) ? why : `${found.client}, ${found.file}: ${why}`)}\n`)
    this.#code ||= code
  }

  /** Nothing is written. */
  leave(why: string): void {
    for (const server of this.#servers.values()) if (server.state === 'would-change') Object.assign(server, { state: 'left', why })
    for (const file of this.#files.values()) if (file.state === 'would-change') file.state = 'unchanged'
    this.#say('Nothing was written.')
  }

  print(code: ExitCode = this.#code): ExitCode {
    const files = [...this.#files.values()]
    for (const file of files) if (file.state === 'would-change' && !this.#options.dryRun) file.state = 'unchanged'
    if (this.#options.json) {
      this.#place.stdout.write(jsonLine({ ok: code === exitCodes.done, dryRun: this.#options.dryRun === true, files }))
      return code
    }
    if (files.length === 0) this.#say(`No config file of a client is here; --config FILE names one.`)
    for (const { client, file, state, backup, servers } of files) {
      const done = servers.filter((row) => ['wrapped', 'unwrapped', 'remains', 'failed'].includes(row.state))
      for (const row of done) this.#sayServer(row, ` in ${client}, ${safeText(file)}`)
      if (state === 'changed') this.#say(`Restart ${client.replace(/,.*/, '')}, or have it read its servers again. As it was: ${safeText(backup ?? '')}`)
    }
    if (this.#options.dryRun) this.#say('Nothing was written: this was a dry run.')
    else if (this.#command === 'install' && files.some(({ state }) => state === 'changed'))
      this.#say('consentry uninstall takes it back, consentry status shows it.')
    return code
  }

  #sayServer({ name, project, state, why, tried, notes }: ServerRow, inFile: string): void {
    const where = project === undefined ? name : `${name} (${project})`
    const words: Readonly<Record<ServerState, string>> = {
      wrapped: tried === 'server' ? 'wrapped, and it starts' : 'wrapped',
      unwrapped: 'without us again',
      'would-change': 'would be changed',
      already: 'nothing to do',
      left: 'left as it is',
      remains: 'NOT without us',
      failed: 'NOT wrapped',
    }
    this.#say(
      `  ${safeText(where, { maximum: 100 })}${inFile}: ${words[state]}${why === undefined ? '' : `: ${safeText(why, { lines: true }).replaceAll('\n', '\n    | ')}`}`,
    )
    for (const note of notes) this.#say(`    (${safeText(note)})`)
  }

  #say(line: string): void {
    this.#write(`${line}\n`)
  }

  #write(text: string): void {
    if (!this.#options.json) this.#place.stdout.write(text)
  }
}
