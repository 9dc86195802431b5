import type { Host, ServerStatus } from '../host/index.ts'
import type { ConfigFile, ServerEntry } from '../policy/index.ts'
import { eraOf } from '../protocol/index.ts'
import type { ConsoleEvent, ServerSummary } from './contract.ts'
import { describeTarget } from './describe-review.ts'
import { StderrEnds } from './stderr-ends.ts'
import type { Timeline } from './timeline.ts'

export interface ServerBoardNeeds {
  readonly host: Pick<Host, 'on' | 'statuses'>
  readonly config: Pick<ConfigFile, 'current' | 'on'>
  readonly timeline: Pick<Timeline, 'sessions' | 'on'>
  readonly waitingOf: (server: string) => number
  readonly tell: (event: ConsoleEvent, about?: string) => void
  readonly now: () => number
}

/** Stderr comes in floods; windows are told of it at most so often, in milliseconds. */
const STDERR_PAUSE_MS = 500

/** What windows see of the servers: those of the config, those that the host knows beside them, and those that wraps stand in front of. */
export class ServerBoard {
  readonly #needs: ServerBoardNeeds
  readonly #stops: (() => void)[]
  readonly #stderr = new Map<string, StderrEnds>()
  readonly #touched = new Map<string, NodeJS.Timeout>()
  #told = new Map<string, string>()

  constructor(needs: ServerBoardNeeds) {
    this.#needs = needs
    const { host, config, timeline, tell } = needs
    this.#stops = [
      host.on('server-status', () => this.refresh()),
      host.on('server-removed', () => this.refresh()),
      host.on('stderr', ({ server, text }) => this.#note(server, text)),
      timeline.on('stderr', ({ server, connection, text }) => this.#note(server, text, connection)),
      host.on('tools-changed', ({ server }) => tell({ type: 'server-touched', name: server, what: 'tools' })),
      timeline.on('sessions-changed', () => this.refresh()),
      config.on('changed', () => {
        this.refresh()
        for (const { name } of this.list()) tell({ type: 'server-touched', name, what: 'entry' })
      }),
    ]
    this.#told = new Map(this.list().map((server) => [server.name, JSON.stringify(server)]))
  }

  /** By name: first what the config has, in its order. */
  list(): readonly ServerSummary[] {
    const { host, config, timeline } = this.#needs
    const statuses = host.statuses()
    const own = [...new Set([...config.current.mcpServers.keys(), ...statuses.keys()])]
    const wrapped = [...new Set(timeline.sessions.map(({ origin }) => origin.server.name))].filter((name) => !own.includes(name))
    return [...own.map((name) => this.#own(name, config.current.mcpServers.get(name), statuses.get(name))), ...wrapped.map((name) => this.#wrapped(name))]
  }

  /** The last lines of a server's stderr, oldest first, with secrets masked. */
  stderrOf(server: string): readonly string[] {
    return this.#stderr.get(server)?.lines() ?? []
  }

  /** Tells windows what is different by now. */
  refresh(): void {
    const list = this.list()
    for (const server of list) {
      const text = JSON.stringify(server)
      if (this.#told.get(server.name) !== text) this.#needs.tell({ type: 'server-changed', server })
    }
    const names = new Set(list.map(({ name }) => name))
    for (const name of this.#told.keys()) {
      if (names.has(name)) continue
      this.#stderr.delete(name)
      this.#needs.tell({ type: 'server-removed', name })
    }
    this.#told = new Map(list.map((server) => [server.name, JSON.stringify(server)]))
  }

  /** Safe to call twice. */
  close(): void {
    for (const stop of this.#stops) stop()
    for (const timer of this.#touched.values()) clearTimeout(timer)
  }

  #own(name: string, entry: ServerEntry | undefined, status: ServerStatus | undefined): ServerSummary {
    const target = entry === undefined ? '' : describeTarget(entry)
    const kind = entry?.kind ?? 'custom'
    return { name, source: 'config', kind, target, ...this.#stateOf(entry, status), clients: this.#clientsOf(name), waiting: this.#needs.waitingOf(name) }
  }

  #stateOf(
    entry: ServerEntry | undefined,
    status: ServerStatus | undefined,
  ): Omit<ServerSummary, 'name' | 'source' | 'kind' | 'target' | 'clients' | 'waiting'> {
    if (entry?.disabled === true) return { state: 'disabled' }
    if (status === undefined) return { state: 'idle' }
    switch (status.state) {
      case 'ready': {
        const { revision, server } = status
        return { state: 'ready', revision, era: eraOf(revision), description: { name: server.name, version: server.version } }
      }
      case 'reconnecting':
        return { state: 'reconnecting', fault: faultOf(status.error), retryAt: this.#needs.now() + status.inMs }
      case 'failed':
        return { state: 'failed', fault: faultOf(status.error) }
      case 'closed':
        return { state: 'stopped' }
      case 'idle':
      case 'connecting':
        return { state: status.state }
      default:
        return status satisfies never
    }
  }

  #wrapped(name: string): ServerSummary {
    const session = this.#needs.timeline.sessions.find(({ origin }) => origin.server.name === name)
    const target = session?.origin.server.target ?? { kind: 'custom' as const, description: '' }
    return {
      name,
      source: 'wrapped',
      kind: target.kind,
      target: describeTarget(target),
      state: 'ready',
      clients: this.#clientsOf(name),
      waiting: this.#needs.waitingOf(name),
    }
  }

  #clientsOf(name: string): readonly string[] {
    return [...new Set(this.#needs.timeline.sessions.flatMap(({ origin }) => (origin.server.name === name ? (origin.client ?? []) : [])))]
  }

  #note(server: string, text: string, connection?: string): void {
    const ends = this.#stderr.get(server) ?? new StderrEnds()
    this.#stderr.set(server, ends)
    ends.add(text, connection)
    if (this.#touched.has(server)) return
    const timer = setTimeout(() => {
      this.#touched.delete(server)
      this.#needs.tell({ type: 'server-touched', name: server, what: 'stderr' }, `stderr ${server}`)
    }, STDERR_PAUSE_MS).unref()
    this.#touched.set(server, timer)
  }
}

/** An error in words for a person. */
export function faultOf({ code, message }: { readonly code: string; readonly message: string }): { readonly code: string; readonly message: string } {
  return { code, message }
}
