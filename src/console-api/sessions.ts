import { ConsentryError } from '../errors.ts'
import { createListeners } from '../protocol/index.ts'

/** One browser's right to decide. */
export interface Session {
  /** The cookie's value. */
  readonly id: string
  /** The header's value: kept by the page itself, so that the cookie alone, which goes to every port of this machine, opens nothing. */
  readonly key: string
}

export type SessionEnd = 'signed-out' | 'idle' | 'desk-closed'

export interface SessionEvents {
  readonly opened: Session
  readonly ended: { readonly session: Session; readonly reason: SessionEnd }
}

export interface SessionsOptions {
  /** How long a token can be exchanged, in milliseconds. Default: ten minutes. */
  readonly tokenLifeMs?: number | undefined
  /** How long a session lives without a person doing anything, in milliseconds. Default: twelve hours. */
  readonly idleMs?: number | undefined
  /** How long a session lives without a window, in milliseconds. Default: half an hour. */
  readonly absentMs?: number | undefined
  readonly now?: (() => number) | undefined
  /** 256 bits that nobody can guess, as text for a URL. */
  readonly random?: (() => string) | undefined
}

interface Living {
  readonly session: Session
  lastAct: number
  lastSeen: number
  windows: number
}

const MOST_TOKENS = 16
const MOST_SESSIONS = 32
const LOOK_MS = 30_000

/**
 * Who may decide in a browser. A token is exchanged once for a session, and a session is a cookie and a key, neither of which is anything alone.
 * All of it lives in memory only: whoever can read the disk finds nothing, and a desk that is started anew knows nobody.
 */
export class Sessions {
  readonly idleMs: number
  readonly #tokenLifeMs: number
  readonly #absentMs: number
  readonly #now: () => number
  readonly #random: () => string
  readonly #tokens = new Map<string, number>()
  readonly #living = new Map<string, Living>()
  readonly #listeners = createListeners<SessionEvents>()
  readonly #timer: NodeJS.Timeout
  #lastLook: number

  constructor(options: SessionsOptions = {}) {
    this.idleMs = options.idleMs ?? 12 * 3_600_000
    this.#tokenLifeMs = options.tokenLifeMs ?? 600_000
    this.#absentMs = options.absentMs ?? 1_800_000
    this.#now = options.now ?? Date.now
    this.#random = options.random ?? randomText
    this.#lastLook = this.#now()
    this.#timer = setInterval(() => this.endIdle(), LOOK_MS).unref()
  }

  /** A token for one exchange. Older ones than the last few are void. */
  issueToken(): string {
    const token = this.#random()
    this.#tokens.set(token, this.#now() + this.#tokenLifeMs)
    dropOldest(this.#tokens, MOST_TOKENS)
    return token
  }

  /** Exchanges a token. @throws ConsentryError `LINK_USED` */
  open(token: string): Session {
    const end = this.#tokens.get(token)
    this.#tokens.delete(token)
    if (end === undefined || end <= this.#now()) {
      throw new ConsentryError(
        'LINK_USED',
        'This link was used before, or is too old. Run "consentry up" for a fresh one; if nobody of yours has used it, look at docs/security.md.',
      )
    }
    const session = { id: this.#random(), key: this.#random() }
    this.#living.set(session.id, { session, lastAct: this.#now(), lastSeen: this.#now(), windows: 0 })
    for (const { session: oldest } of [...this.#living.values()].slice(0, -MOST_SESSIONS)) this.close(oldest, 'idle')
    this.#listeners.emit('opened', session)
    return session
  }

  /** The session of a cookie and a key. @throws ConsentryError `SESSION_ENDED` */
  find(id: string | undefined, key: string | undefined): Session {
    const living = this.#find(id)
    if (living === undefined || key === undefined || !isEqual(living.session.key, key)) {
      throw new ConsentryError('SESSION_ENDED', 'This session has ended. Run "consentry up" to open a new one.')
    }
    living.lastSeen = this.#now()
    return living.session
  }

  /** Whether a cookie is of a session: enough for what has an address that nobody can guess. */
  knows(id: string | undefined): boolean {
    return this.#find(id) !== undefined
  }

  /** That a person did something. */
  noteAct({ id }: Session): void {
    const living = this.#living.get(id)
    if (living) living.lastAct = this.#now()
  }

  /** A window of this session is open. @returns the function that says it no longer is */
  noteWindow({ id }: Session): () => void {
    const living = this.#living.get(id)
    if (living) living.windows += 1
    let isOpen = true
    return () => {
      if (!isOpen || !living) return
      isOpen = false
      living.windows -= 1
      living.lastSeen = this.#now()
    }
  }

  /** Ends those that nobody uses; runs by itself twice a minute. */
  endIdle(): void {
    const now = this.#now()
    const hasSlept = now - this.#lastLook > 3 * LOOK_MS
    this.#lastLook = now
    for (const living of this.#living.values()) {
      // After the machine has slept, windows need a moment to come back.
      if (hasSlept || living.windows > 0) living.lastSeen = now
      if (now - living.lastAct >= this.idleMs || now - living.lastSeen >= this.#absentMs) this.close(living.session, 'idle')
    }
    for (const [token, end] of this.#tokens) if (end <= now) this.#tokens.delete(token)
  }

  /** Safe to call twice. */
  close(session: Session, reason: SessionEnd): void {
    if (this.#living.delete(session.id)) this.#listeners.emit('ended', { session, reason })
  }

  /** Ends all of them, for ever. Safe to call twice. */
  closeAll(): void {
    clearInterval(this.#timer)
    this.#tokens.clear()
    for (const { session } of this.#living.values()) this.close(session, 'desk-closed')
  }

  /** @returns the function that undoes it */
  on(event: 'ended', listener: (detail: SessionEvents['ended']) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  /** @returns the function that undoes it */
  onOpened(listener: (session: Session) => void): () => void {
    return this.#listeners.on('opened', listener)
  }

  #find(id: string | undefined): Living | undefined {
    const living = id === undefined ? undefined : this.#living.get(id)
    if (living === undefined || this.#now() - living.lastAct < this.idleMs) return living
    this.close(living.session, 'idle')
    return undefined
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}

/** 256 bits, as text that can stand in a URL, a cookie and a header. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Takes as long wherever the difference is. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}
