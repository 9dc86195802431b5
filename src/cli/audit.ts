import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { AuditLog, type AuditRecord } from '../audit/index.ts'
import { ConsentryError } from '../errors.ts'
import type { Json, JsonObject } from '../protocol/index.ts'
import { LazyStore } from '../store/index.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import type { Place } from './place.ts'
import { nearestAbove, openStateFolder } from './state-folder.ts'
import { safeText } from './terminal/safe-text.ts'
import { jsonLine, writeOut } from './write-out.ts'

export interface AuditOptions {
  readonly json?: boolean | undefined
}

/**
 * `consentry audit list|export|verify`.
 *
 * @throws ConsentryError `STORE_UNAVAILABLE` where nothing can be read, nor ever have been written: that nothing is there says nothing then
 */
export async function runAudit(action: 'list' | 'export' | 'verify', { json }: AuditOptions, place: Place): Promise<ExitCode> {
  const { path, databaseFile, anchorFile } = openStateFolder(place)
  // Looking makes no database. What was written once, and is gone, is for verify to find.
  const isNone = isMissing(databaseFile) && isMissing(anchorFile)
  requireMakeable(path)
  const store = new LazyStore({ file: databaseFile })
  const log = isNone ? noLog : new AuditLog({ store, anchorFile })
  try {
    if (action === 'verify') return await verify(log, json === true, place)
    const count = await (action === 'list' && json ? printList(log, place) : printLines(log, action === 'export' ? jsonLine : describeLine, place))
    if (count === 0) place.stderr.write(`consentry: nothing is in the log of ${safeText(path)}: no server has asked anything there yet\n`)
    return exitCodes.done
  } finally {
    await store.close()
  }
}

type ReadableLog = Pick<AuditLog, 'export' | 'verify'>

const noLog: ReadableLog = {
  async *export() {},
  verify: async () => ({ ok: true, entries: 0 }),
}

/** Whether nothing is there; what cannot be looked at is. */
function isMissing(file: string, codes: readonly string[] = ['ENOENT']): boolean {
  try {
    lstatSync(file)
    return false
  } catch (error) {
    return codes.includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** A folder that is there is none's to make; of one that is not, the nearest that is must take it. */
function requireMakeable(path: string): void {
  if (!isMissing(path, ['ENOENT', 'ENOTDIR'])) return
  const above = nearestAbove(path)
  const refuse = (why: string, cause?: unknown): never => {
    throw new ConsentryError(
      'STORE_UNAVAILABLE',
      `the state cannot be read: the state folder ${path} is not there, and ${why}: set CONSENTRY_HOME to another folder`,
      {
        cause,
      },
    )
  }
  if (!statSync(above).isDirectory()) refuse(`${above} is no folder`)
  try {
    accessSync(above, constants.W_OK | constants.X_OK)
  } catch (cause) {
    refuse(`cannot be made in ${above} (${(cause as Error).message})`, cause)
  }
}

/** @returns how many there were */
async function printLines(log: ReadableLog, format: (record: AuditRecord) => string, { stdout }: Place): Promise<number> {
  let count = 0
  for await (const record of log.export()) {
    await writeOut(stdout, format(record))
    count += 1
  }
  return count
}

/** One JSON list, without the chain: what happened, not how it is kept. @returns how many there were */
async function printList(log: ReadableLog, { stdout }: Place): Promise<number> {
  let count = 0
  for await (const { position: _position, previous: _previous, hash: _hash, ...entry } of log.export()) {
    await writeOut(stdout, `${count === 0 ? '[' : ','}\n${jsonLine(entry).trimEnd()}`)
    count += 1
  }
  stdout.write(count === 0 ? '[]\n' : '\n]\n')
  return count
}

async function verify(log: ReadableLog, json: boolean, { stdout }: Place): Promise<ExitCode> {
  const result = await log.verify()
  if (json) stdout.write(`${JSON.stringify(result)}\n`)
  else stdout.write(result.ok ? `${result.entries} entries, none altered or missing\n` : `entry ${result.firstBad}: ${result.reason}\n`)
  return result.ok ? exitCodes.done : exitCodes.failed
}

function describeLine(record: AuditRecord): string {
  return `${describe(record)}\n`
}

function describe({ at, server, request, mode, event, by, outcome, unanswered, error, call, facts = {} }: AuditRecord): string {
  const question = mode === undefined ? request : `${request} (${mode})`
  const isLimit = error === 'LIMIT_REACHED' && by === 'rule'
  const who = by === undefined ? '' : ` by ${isLimit ? describeLimit(facts) : by}`
  const end = outcome === undefined ? '' : `: ${outcome === 'completed' ? `${server} is done with the page` : outcome}`
  const reason = unanswered === undefined ? '' : ` (${unanswered})`
  const failure = describeFailures(error, facts)
  const folders = request === 'roots' ? describeFolders(facts) : []
  return safeText([at, server, ...(call === undefined ? [] : [call]), question, `${event}${end}${who}${reason}${failure}`, ...folders].join('  '), {
    maximum: 2000,
  })
}

/** `a limit (tokensPerDay 130, 95 left; wait)`: which one, and what somebody said who was asked for more. */
function describeLimit({ limit, allowed, remaining, said }: JsonObject): string {
  if (typeof limit !== 'string') return 'a limit'
  const left = remaining === undefined ? '' : `, ${JSON.stringify(remaining)} left`
  return `a limit (${limit} ${JSON.stringify(allowed)}${left}${typeof said === 'string' ? `; ${said}` : ''})`
}

/** Why a model gave no answer, and which ones had given none before. */
function describeFailures(error: string | undefined, { reason, failures }: JsonObject): string {
  const before = Array.isArray(failures) ? failures.map((failure) => ` (before that: ${String(failure)})`).join('') : ''
  return error === 'MODEL_FAILED' || error === 'MODEL_UNKNOWN' ? ` (${error}${typeof reason === 'string' ? `: ${reason}` : ''})${before}` : before
}

const MOST_NAMED = 5

/** Which folders were granted, refused, taken back and told. */
function describeFolders({ granted, refused, revoked, roots, as }: JsonObject): readonly string[] {
  const name = (what: string, folders: Json | undefined): readonly string[] => {
    if (!Array.isArray(folders) || folders.length === 0) return []
    const more = folders.length > MOST_NAMED ? `, and ${folders.length - MOST_NAMED} more` : ''
    return [`${what} ${folders.slice(0, MOST_NAMED).join(', ')}${more}`]
  }
  return [
    ...name('yes to', granted),
    ...name('no to', refused),
    ...name('no longer', revoked),
    ...(typeof as === 'string' ? [`as ${as}`] : []),
    ...name('told', roots),
  ]
}
