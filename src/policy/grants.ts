import { createListeners, inputKinds, isJsonObject, type InputKind, type JsonObject, type ServerIdentity } from '../protocol/index.ts'
import { canonicalJson, sha256, type Store } from '../store/index.ts'

/** What a person consents to, to be remembered. */
export interface NewGrant {
  readonly kind: InputKind
  /** Folders, a model, limits. Never a value that somebody typed. */
  readonly details?: JsonObject | undefined
  /** Milliseconds since the epoch: from then on it is as if it had never been given. */
  readonly expiresAt?: number | undefined
}

/** A remembered consent for one server and one kind of question. */
export interface Grant extends NewGrant {
  readonly id: string
  /** Our name for the server, for people. */
  readonly server: string
  readonly details: JsonObject
  /** Milliseconds since the epoch. */
  readonly grantedAt: number
}

export interface GrantsOptions {
  readonly store: Store
  readonly now?: (() => number) | undefined
  readonly newId?: (() => string) | undefined
}

/** What happens here; what another process does is seen by whoever looks. */
export interface GrantEvents {
  readonly revoked: undefined
}

/**
 * Remembered consents, keyed by who a server is: its name together with what is started or which URL is spoken to.
 * Another name, or another command under the same name, shares nothing with it, and is asked about again.
 */
export class Grants {
  readonly #store: Store
  readonly #now: () => number
  readonly #newId: () => string
  readonly #listeners = createListeners<GrantEvents>()

  constructor({ store, now = Date.now, newId = () => globalThis.crypto.randomUUID() }: GrantsOptions) {
    this.#store = store
    this.#now = now
    this.#newId = newId
  }

  /** What holds now for exactly this server, newest first. @throws ConsentryError `STORE_UNAVAILABLE` */
  async find(server: ServerIdentity, kind: InputKind): Promise<readonly Grant[]> {
    const rows = await this.#store.read((database) =>
      database.selectFrom('grants').selectAll().where('server_key', '=', serverKey(server)).where('kind', '=', kind).orderBy('granted_at', 'desc').execute(),
    )
    return this.#thatHold(rows)
  }

  /** All that hold now, of every server, newest first. @throws ConsentryError `STORE_UNAVAILABLE` */
  async list(): Promise<readonly Grant[]> {
    return this.#thatHold(await this.#store.read((database) => database.selectFrom('grants').selectAll().orderBy('granted_at', 'desc').execute()))
  }

  /** @throws ConsentryError `STORE_UNAVAILABLE` */
  async add(server: ServerIdentity, { kind, details = {}, expiresAt }: NewGrant): Promise<Grant> {
    const grant: Grant = { id: this.#newId(), server: server.name, kind, details, grantedAt: this.#now(), ...(expiresAt !== undefined && { expiresAt }) }
    const row = {
      id: grant.id,
      server_key: serverKey(server),
      server_name: JSON.stringify(server.name),
      kind,
      details: canonicalJson(details),
      granted_at: grant.grantedAt,
      expires_at: expiresAt ?? null,
    }
    await this.#store.write((transaction) => transaction.insertInto('grants').values(row).execute())
    return grant
  }

  /** From then on, in milliseconds since the epoch, it is as if it had never been given. @returns false where there is no such grant (any more). @throws ConsentryError `STORE_UNAVAILABLE` */
  async setEnd(id: string, expiresAt: number): Promise<boolean> {
    const now = this.#now()
    const { numUpdatedRows } = await this.#store.write((transaction) =>
      transaction
        .updateTable('grants')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
        .executeTakeFirst(),
    )
    return numUpdatedRows > 0n
  }

  /** @returns false where there is no such grant (any more). @throws ConsentryError `STORE_UNAVAILABLE` */
  async revoke(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#store.write((transaction) => transaction.deleteFrom('grants').where('id', '=', id).executeTakeFirst())
    if (numDeletedRows > 0n) this.#listeners.emit('revoked', undefined)
    return numDeletedRows > 0n
  }

  /** @returns the function that undoes it */
  on<Name extends keyof GrantEvents>(event: Name, listener: (detail: GrantEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  #thatHold(rows: readonly GrantRow[]): readonly Grant[] {
    const now = this.#now()
    return rows.map(readGrant).filter((grant) => grant !== undefined && (grant.expiresAt === undefined || now < grant.expiresAt)) as readonly Grant[]
  }
}

interface GrantRow {
  readonly id: string
  readonly server_name: string
  readonly kind: string
  readonly details: string
  readonly granted_at: number | string
  readonly expires_at: number | string | null
}

/** What cannot be read grants nothing. */
function readGrant(row: GrantRow): Grant | undefined {
  const kind = inputKinds.find((each) => each === row.kind)
  try {
    const server: unknown = JSON.parse(row.server_name)
    const details: unknown = JSON.parse(row.details)
    if (kind === undefined || typeof server !== 'string' || !isJsonObject(details)) return undefined
    const grant = { id: row.id, server, kind, details, grantedAt: Number(row.granted_at) }
    return row.expires_at === null ? grant : { ...grant, expiresAt: Number(row.expires_at) }
  } catch {
    return undefined
  }
}

/** Who a server is, as one text. Whether the user gave the name is part of it: a name that was guessed from a command may be anybody's. */
export function serverKey({ name, named, target }: ServerIdentity): string {
  return sha256(canonicalJson({ name, named, target: { ...target } }))
}
