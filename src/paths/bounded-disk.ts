import type { Disk, DiskEntry } from './disk.ts'
import { Lane, type LaneQuestion } from './lane.ts'

/** What watching asks of a disk, by way of another process. */
export type FarDisk = Pick<Disk, 'inspect' | 'canRead'>

export interface BoundOptions {
  /** Milliseconds that one question may take. Default: 1000. */
  readonly patience?: number | undefined
  /** Milliseconds after which another process is asked. Default: 250. */
  readonly slow?: number | undefined
  /** Opened when a device is slow for the first time. Absent: what is slow is waited for here. */
  readonly openFar?: (() => FarDisk) | undefined
  /** Whether the first call to a path may hang, so that it is another process's. Default: none is known to. */
  readonly mayHang?: ((path: string) => boolean) | undefined
}

interface Probe {
  readonly answer: Promise<unknown>
  /** The one that begins when this one has ended. */
  next?: Promise<unknown>
}

const UNREACHABLE: DiskEntry = { kind: 'unreachable' }
const HUNG = Symbol('nothing answers')
/** Paths whose device is remembered; more than anybody watches. */
const REMEMBERED = 20_000

/**
 * A disk that always answers in time, though a network drive below it may hang.
 *
 * Each device is asked one question at a time; what takes too long counts as unreachable until the device does answer, and the others go on.
 * An answer never comes from a call that began before the question was asked.
 */
export function boundDisk(disk: Disk, { patience = 1000, slow = 250, openFar, mayHang = () => false }: BoundOptions = {}): Disk {
  const running = new Map<string, Probe>()
  const devices = new Map<string, string>()
  const lanes = new Map<string, Lane>()
  /** Newcomers that were asked, and have not answered yet. */
  const hanging = new Set<string>()
  const options = { patience, slow }
  const newcomers = new Lane({ ...options, patience: openFar ? slow : patience })
  let far: FarDisk | undefined

  /** Nobody knows on which device a newcomer lies: they share a lane, and whoever hangs in it, comes after, or may hang, goes by one of its own. */
  async function askNewcomer<Result>(path: string, question: LaneQuestion<Result>): Promise<Result> {
    const hasFar = openFar !== undefined && question.far !== undefined
    const near = (): Promise<Result> => {
      hanging.add(path)
      return question.near().finally(() => hanging.delete(path))
    }
    const answer = hasFar && mayHang(path) ? HUNG : await newcomers.ask<Result | typeof HUNG>({ near, late: HUNG })
    if (answer !== HUNG) return answer
    // It hangs itself, and nobody else can be asked: one thread is enough.
    if (!hasFar && hanging.has(path)) return question.late
    return laneOf(`newcomer ${path}`, { isFar: hasFar }).ask(question)
  }

  function laneOf(key: string, { isFar }: { readonly isFar: boolean }): Lane {
    const lane = lanes.get(key) ?? new Lane({ ...options, isFar })
    if (lanes.size >= REMEMBERED) lanes.clear()
    lanes.set(key, lane)
    return lane
  }

  function ask<Result>(key: string, path: string, question: LaneQuestion<Result>): Promise<Result> {
    const probe = running.get(key)
    if (!probe) return begin(key, path, question)
    probe.next ??= probe.answer.then(() => ask(key, path, question))
    return probe.next as Promise<Result>
  }

  function begin<Result>(key: string, path: string, question: LaneQuestion<Result>): Promise<Result> {
    const device = devices.get(path)
    const asked = device === undefined ? askNewcomer(path, question) : laneOf(`device ${device}`, { isFar: false }).ask(question)
    const answer = asked.finally(() => running.delete(key))
    running.set(key, { answer })
    return answer
  }

  async function inspect(path: string): Promise<DiskEntry> {
    const entry = await ask(`inspect ${path}`, path, {
      near: () => disk.inspect(path),
      far: openFar && (() => (far ??= openFar()).inspect(path)),
      late: UNREACHABLE,
    })
    if ('device' in entry) {
      if (devices.size >= REMEMBERED) devices.clear()
      devices.set(path, entry.device)
    }
    return entry
  }

  const askNear = <Result>(key: string, path: string, late: Result, near: () => Promise<Result>): Promise<Result> => ask(`${key} ${path}`, path, { near, late })

  return {
    platform: disk.platform,
    inspect,
    canRead: (path, kind) =>
      ask(`canRead ${kind} ${path}`, path, {
        near: () => disk.canRead(path, kind),
        far: openFar && (() => (far ??= openFar()).canRead(path, kind)),
        late: false,
      }),
    look: (path) => askNear('look', path, UNREACHABLE, () => disk.look(path)),
    realPath: (path) => askNear('realPath', path, undefined, () => disk.realPath(path)),
    list: (path) => askNear('list', path, undefined, () => disk.list(path)),
    readText: (path, limit) => askNear(`readText ${limit}`, path, undefined, () => disk.readText(path, limit)),
  }
}
