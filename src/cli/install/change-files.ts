import { changeEntries, showChanges, type EntryPlan } from '../../clients/index.ts'
import { ConsentryError } from '../../errors.ts'
import { inLanes } from '../../mcp/in-lanes.ts'
import { readJsonc } from '../../policy/index.ts'
import type { Json } from '../../protocol/index.ts'
import { exitCodeOf, exitCodes, type ExitCode } from '../exit.ts'
import { hasTerminal, type Place } from '../place.ts'
import { createPrompts } from '../terminal/prompts.ts'
import { replaceClientFile } from './client-file.ts'
import type { FoundFile } from './find-files.ts'
import { backUp } from './keep-record.ts'
import { isChange, type ChangeOptions, type ChangePlan, type PlannedFile } from './planned-file.ts'
import type { Proof } from './prove-entry.ts'
import { ChangeReport } from './change-report.ts'

/** What `install` and `uninstall` do not have in common. */
export interface ChangeWork {
  readonly command: 'install' | 'uninstall'
  plan(found: PlannedFile['found']): readonly EntryPlan[]
  /** Tries an entry before it is written. */
  prove?(found: PlannedFile['found'], plan: ChangePlan, after: Json | undefined): Promise<Proof>
  /** Runs just before a file is written, while nobody else writes it: what it throws keeps the file as it is. */
  before?(planned: PlannedFile): Promise<void>
  /** Runs when a file was written, still while nobody else writes it. @param text what it holds now */
  after?(planned: PlannedFile, text: string): Promise<void>
}

const PROOFS_AT_ONCE = 4
const done: Promise<void> = Promise.resolve()

/** Shows what would become of the files, asks, tries, and writes each of them; one that fails keeps no other back. */
export async function changeFiles(files: readonly FoundFile[], work: ChangeWork, options: ChangeOptions, place: Place): Promise<ExitCode> {
  const report = new ChangeReport(work.command, options, place)
  const usable: PlannedFile[] = []
  for (const found of files) {
    if (!isUsable(found)) {
      report.refuse(found)
      continue
    }
    const planned = { found, plans: work.plan(found) }
    usable.push(planned)
    report.plan(planned, showPlan(planned))
  }
  const hasChanges = usable.some(({ plans }) => plans.some(isChange))
  if (!hasChanges || options.dryRun) return report.print()
  const wanted = options.yes ? 'yes' : await askWhether(work, place)
  if (wanted !== 'yes') {
    report.leave(wanted === 'no' ? 'you said no' : 'you pressed Ctrl-C')
    return report.print(wanted === 'no' ? exitCodes.failed : exitCodes.interrupted)
  }
  const proven = await proveAll(usable, work, report)
  for (const one of proven) await writeFile(one, work, report, place)
  return report.print()
}

function isUsable(found: FoundFile): found is PlannedFile['found'] {
  return found.document !== undefined && found.read !== undefined
}

function showPlan({ found, plans }: PlannedFile): string | undefined {
  const changes = plans.filter(isChange)
  return changes.length === 0 ? undefined : showChanges(found.document, changes)
}

/** @returns undefined after Ctrl-C */
async function askWhether({ command }: ChangeWork, place: Place): Promise<'yes' | 'no' | undefined> {
  if (!hasTerminal(place)) throw new ConsentryError('USAGE', `nothing was changed: nobody can be asked here. ${command} --yes writes what is shown above`)
  const prompts = await createPrompts({ input: place.stdin, output: place.stderr })
  const question = command === 'install' ? 'Start each of these servers once to try it, and write this?' : 'Write this?'
  const isWanted = await prompts.confirm(question, { no: 'No, leave everything as it is', yes: 'Yes' }, { signal: place.interrupted })
  return isWanted === undefined ? undefined : isWanted ? 'yes' : 'no'
}

async function proveAll(files: readonly PlannedFile[], work: ChangeWork, report: ChangeReport): Promise<readonly PlannedFile[]> {
  const failed = new Set<EntryPlan>()
  const waiting = files.flatMap(({ found, plans }) => {
    const changes = plans.filter(isChange)
    const text = changeEntries(found.document, changes)
    const { value } = readJsonc(text, found.file, 'CONFIG_INVALID')
    return changes.map((plan) => ({ found, plan, after: valueAt(value, plan.entry.path) }))
  })
  const prove = work.prove?.bind(work)
  if (prove === undefined) return files
  await inLanes(waiting, PROOFS_AT_ONCE, async ({ found, plan, after }) => {
    const proof = await prove(found, plan, after)
    report.prove(plan, proof)
    if (!proof.ok) failed.add(plan)
  })
  return files.map(({ found, plans }) => ({ found, plans: plans.filter((plan) => !failed.has(plan)) }))
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (inner as Readonly<Record<string, Json>>)[key], value)
}

async function writeFile(planned: PlannedFile, work: ChangeWork, report: ChangeReport, place: Place): Promise<void> {
  const { found, plans } = planned
  const changes = plans.filter(isChange)
  if (changes.length === 0) return
  try {
    place.interrupted.throwIfAborted()
    const backup = await backUp(found.read, place)
    const text = changeEntries(found.document, changes)
    const outcome = await replaceClientFile(found.read, text, {
      before: () => work.before?.(planned) ?? done,
      after: () => work.after?.(planned, text) ?? done,
    })
    if (outcome === 'changed') return report.leaveFile(found, 'another program has changed the file meanwhile: run this again', exitCodes.failed)
    report.written(found, changes, backup)
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    report.leaveFile(found, error.message, exitCodeOf(error))
  }
}
