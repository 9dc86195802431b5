import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { isDisabled, readStanding, type ClientDocument, type OurWords } from '../../clients/index.ts'
import { ConsentryError } from '../../errors.ts'
import { readClientConfig } from '../../policy/index.ts'
import { isJsonObject, type Json } from '../../protocol/index.ts'
import { configPlaceOf } from '../open-config.ts'
import { otherClientFiles } from '../other-clients.ts'
import type { Place } from '../place.ts'
import { candidateAt, chooseFiles, readFiles, type CandidateFile, type FileChoice } from './find-files.ts'
import { readClientFile } from './client-file.ts'
import { planEntries, thisProgram } from './install.ts'
import { readRecord } from './keep-record.ts'

/** The program that an entry leads through. */
export interface WrappedBy {
  /** As it is written: a path, or what a package manager is asked for. */
  readonly program: string
  /** What starts it, where it is not started itself. */
  readonly runtime?: string | undefined
  /** Whether both are there; null where that cannot be told from their names. */
  readonly exists: boolean | null
  readonly version: string | null
  /** It is the one that runs now. */
  readonly isThis: boolean
}

export interface ClientServerRow {
  readonly name: string
  readonly project?: string | undefined
  readonly isDisabled: boolean
  /** Undefined where it does not lead through us. */
  readonly by?: WrappedBy | undefined
  /** Why we could not stand in front of it. */
  readonly unfit?: string | undefined
  /** Its entry. */
  readonly value: Json | undefined
}

/** A client's config file as it stands. */
export interface ClientFileRow {
  readonly client: string
  readonly file: string
  readonly exists: boolean
  readonly fault?: ConsentryError | undefined
  /** Where its servers are started. */
  readonly folder: string
  readonly servers: readonly ClientServerRow[]
}

/** Looks at the files of every client that we know, and those that we were told of; starts nothing. */
export async function lookAtClients(choice: FileChoice, place: Place): Promise<readonly ClientFileRow[]> {
  const isNarrow = choice.client.length > 0 || choice.config.length > 0
  // A record that is broken is for install and the doctor to say.
  const record = isNarrow ? undefined : await readRecord(place).catch(() => undefined)
  const recorded = [...(record?.keys() ?? [])].map((file) => candidateAt(file, place))
  const candidates: readonly CandidateFile[] = isNarrow ? chooseFiles(choice, place) : [...otherClientFiles(place), ...recorded]
  const tables = candidates.filter(({ format }) => format === 'codex-toml')
  const found = await readFiles(candidates.filter((candidate) => !tables.includes(candidate)))
  const there = found.map(({ client, file, folder, fault, document }): ClientFileRow => {
    const servers = document ? readRows(document, place) : []
    return { client, file, folder, exists: true, fault, servers }
  })
  const rows = [...there, ...(await Promise.all(tables.map((table) => readTable(table, place))))]
  const seen = new Set(rows.map(({ file }) => file))
  const missing = otherClientFiles(place).filter(({ file }) => !isNarrow && !seen.has(file))
  return [...rows, ...missing.map(({ client, file, folder }) => ({ client, file, folder, exists: false, servers: [] }))]
}

async function readTable({ client, file, folder }: CandidateFile, place: Place): Promise<ClientFileRow> {
  try {
    const read = await readClientFile(file)
    if (read === undefined) return { client, file, folder, exists: false, servers: [] }
    const servers = readClientConfig(read.text, { file, ...configPlaceOf(place), format: 'codex-toml' })
    return { client, file, folder, exists: true, servers: servers.map(({ name, entry }) => toRow(name, undefined, entry as Json | undefined)) }
  } catch (fault) {
    if (!(fault instanceof ConsentryError)) throw fault
    return { client, file, folder, exists: true, fault, servers: [] }
  }
}

/** Install says itself what it would not wrap, were each of them named. */
function readRows(document: ClientDocument, place: Place): readonly ClientServerRow[] {
  const plans = planEntries(document, new Set(document.entries.map(({ name }) => name)), place)
  return plans.map((plan) => {
    const { name, project, value } = plan.entry
    const row = toRow(name, project, value)
    return row.by === undefined && plan.action === 'skip' ? { ...row, unfit: plan.why } : row
  })
}

function toRow(name: string, project: string | undefined, value: Json | undefined): ClientServerRow {
  const standing = readStanding(value)
  return {
    name,
    project,
    isDisabled: isDisabled(value),
    value,
    ...(standing.kind === 'ours' && { by: describeProgram(standing.words) }),
    ...(standing.kind === 'unfit' && { unfit: standing.why }),
  }
}

function describeProgram({ program, runtime }: OurWords): WrappedBy {
  const own = thisProgram()
  const isByPath = isAbsolute(program) && (runtime === undefined || isAbsolute(runtime))
  return {
    program,
    runtime,
    exists: isByPath ? existsSync(program) && (runtime === undefined || existsSync(runtime)) : null,
    version: isByPath ? versionOf(program) : null,
    isThis: program === own.program && runtime === own.node,
  }
}

/** What the package says that a program belongs to; null where it says nothing. */
function versionOf(program: string): string | null {
  try {
    const text: unknown = JSON.parse(readFileSync(join(dirname(program), '../../package.json'), 'utf8'))
    return isJsonObject(text) && text['name'] === 'consentry' && typeof text['version'] === 'string' ? text['version'] : null
  } catch {
    return null
  }
}
