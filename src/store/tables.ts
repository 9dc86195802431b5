import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'

/** Milliseconds since the epoch. Some databases give large numbers back as text: read it with `Number`. */
type Moment = ColumnType<number | string, number, number>

/** What is kept, table by table. */
export interface Tables {
  readonly schema_version: { readonly version: number }
  readonly audit_entries: {
    /** From 1, without gaps. */
    readonly position: number
    /** Canonical JSON. */
    readonly entry: string
    /** The hash of the entry before. */
    readonly previous: string
    readonly hash: string
  }
  readonly grants: {
    readonly id: string
    /** Hash of the server's identity. */
    readonly server_key: string
    readonly server_name: string
    readonly kind: string
    /** JSON. */
    readonly details: string
    readonly granted_at: Moment
    readonly expires_at: ColumnType<number | string | null, number | null, number | null>
  }
  readonly spendings: {
    readonly id: string
    readonly rule: string
    readonly server: string
    readonly at: Moment
    readonly tokens: number
    readonly cost: number
    /** The kind of question. */
    readonly kind: Generated<string>
    /** Of the program's life. */
    readonly run: Generated<string>
    readonly model: Generated<string>
    /** Of the tokens, those of the answer; 0 until it is settled. */
    readonly output: Generated<number>
    /** 0: nobody knows the price, and `cost` says nothing. */
    readonly is_priced: Generated<number>
    /** 1: neither settled nor released. */
    readonly is_open: Generated<number>
  }
  readonly raises: {
    readonly id: string
    /** Which limit, of whom. */
    readonly limit_key: string
    readonly amount: number
    readonly until: Moment
  }
}

export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>
