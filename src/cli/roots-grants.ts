import { AuditLog } from '../audit/index.ts'
import { Grants, type Grant } from '../policy/index.ts'
import { isRefusal, readGrantedEntry, readKeptChoice } from '../roots/granted-folders.ts'
import { recordConsent } from '../roots/record-consent.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { findRow } from './find-row.ts'
import type { Place } from './place.ts'
import { FOR_ONE_RUN } from './roots-list.ts'
import { openStateFolder } from './state-folder.ts'
import { whatFollows } from './still-told.ts'
import { safeText } from './terminal/safe-text.ts'
import { useStore } from './use-store.ts'

export interface GrantsOptions {
  readonly server?: string | undefined
  readonly json?: boolean | undefined
}

/** What a person said when a server asked for folders, as it is listed. */
export interface GrantRow {
  readonly id: string
  readonly server: string
  /** Absent where the person said: none, and do not ask again; or what is to be done where the server keeps its folders. */
  readonly path?: string | undefined
  readonly name?: string | undefined
  readonly keptFolders?: 'restart' | 'leave' | undefined
  /** ISO 8601. */
  readonly since: string
  /** ISO 8601; absent: until it is revoked. */
  readonly until?: string | undefined
}

const keptWishes = {
  restart: 'is started afresh where it goes on in folders that it should know no longer',
  leave: 'is left alone where it goes on in folders that it should know no longer',
} as const

/** `consentry roots grants`: what people said that is remembered, newest first. */
export async function listGrants({ server, json }: GrantsOptions, place: Place): Promise<ExitCode> {
  const rows = (await readGrantRows(place)).filter((row) => server === undefined || row.server === server)
  if (json) place.stdout.write(`${JSON.stringify(rows)}\n`)
  else if (rows.length === 0) place.stdout.write(`Nothing is remembered: whoever asks for folders that are not in the config is asked about.\n${FOR_ONE_RUN}`)
  else place.stdout.write(rows.map(describe).join(''))
  return exitCodes.done
}

/** `consentry roots grants revoke ID`: takes a remembered decision back. A server that runs is told within a second. The beginning of an id will do. */
export async function revokeGrant(id: string, { json }: GrantsOptions, place: Place): Promise<ExitCode> {
  const row = findRow(id, await readGrantRows(place), 'consentry roots grants')
  const { anchorFile } = openStateFolder(place)
  await useStore(
    place,
    async (store) => {
      await new Grants({ store }).revoke(row.id)
      if (row.path === undefined) return
      const audit = new AuditLog({ store, anchorFile })
      await recordConsent(audit, {
        event: 'revoked',
        server: row.server,
        path: row.path,
        source: 'grant',
        surface: 'command line',
      })
      await audit.close()
    },
    undefined,
  )
  place.stdout.write(json ? `${JSON.stringify(row)}\n` : `revoked ${describe(row)}`)
  if (!json && row.path !== undefined) place.stdout.write(whatFollows)
  return exitCodes.done
}

async function readGrantRows(place: Place): Promise<readonly GrantRow[]> {
  const grants = await useStore(place, (store) => new Grants({ store }).list(), [])
  return grants.flatMap((grant) => toRow(grant) ?? [])
}

function toRow({ id, kind, server, details, grantedAt, expiresAt }: Grant): GrantRow | undefined {
  const entry = readGrantedEntry(details)
  const choice = readKeptChoice(details)
  if (kind !== 'roots' || (entry === undefined && choice === undefined && !isRefusal(details))) return undefined
  const end = expiresAt === undefined ? {} : { until: new Date(expiresAt).toISOString() }
  return {
    id,
    server,
    ...(choice && { keptFolders: choice }),
    ...(entry && { path: entry.path, ...(entry.name !== undefined && { name: entry.name }) }),
    since: new Date(grantedAt).toISOString(),
    ...end,
  }
}

function describe({ id, server, path, name, keptFolders, since, until }: GrantRow): string {
  const what = keptFolders
    ? keptWishes[keptFolders]
    : path === undefined
      ? 'no folders, and is not asked about'
      : `${path}${name === undefined ? '' : ` "${name}"`}`
  const end = until === undefined ? 'until it is revoked' : `until ${until.slice(0, 10)}`
  return `${safeText(`${id.slice(0, 8)}  ${server}  ${what}  since ${since.slice(0, 10)}, ${end}`, { maximum: Infinity })}\n`
}
