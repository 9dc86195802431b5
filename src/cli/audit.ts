import { AuditLog, type AuditRecord } from '../audit/index.ts'
import type { Json, JsonObject } from '../protocol/index.ts'
import { LazyStore } from '../store/index.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'
import { safeText } from './terminal/safe-text.ts'
import { jsonLine, writeOut } from './write-out.ts'

export interface AuditOptions {
  readonly json?: boolean | undefined
}

/** `consentry audit list|export|verify`. */
export async function runAudit(action: 'list' | 'export' | 'verify', { json }: AuditOptions, place: Place): Promise<ExitCode> {
  const { databaseFile, anchorFile } = openStateFolder(place)
  const store = new LazyStore({ file: databaseFile })
  const log = new AuditLog({ store, anchorFile })
  try {
    if (action === 'verify') return await verify(log, json === true, place)
    if (action === 'list' && json) return await printList(log, place)
    for await (const record of log.export()) await writeOut(place.stdout, action === 'export' ? jsonLine(record) : `${describe(record)}\n`)
    return exitCodes.done
  } finally {
    await store.close()
  }
}

/** One JSON list, without the chain: what happened, not how it is kept. */
async function printList(log: AuditLog, { stdout }: Place): Promise<ExitCode> {
  let separator = '['
  for await (const { position: _position, previous: _previous, hash: _hash, ...entry } of log.export()) {
    await writeOut(stdout, `${separator}\n${jsonLine(entry).trimEnd()}`)
    separator = ','
  }
  stdout.write(separator === '[' ? '[]\n' : '\n]\n')
  return exitCodes.done
}

async function verify(log: AuditLog, json: boolean, { stdout }: Place): Promise<ExitCode> {
  const result = await log.verify()
  if (json) stdout.write(`${JSON.stringify(result)}\n`)
  else stdout.write(result.ok ? `${result.entries} entries, none altered or missing\n` : `entry ${result.firstBad}: ${result.reason}\n`)
  return result.ok ? exitCodes.done : exitCodes.failed
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
