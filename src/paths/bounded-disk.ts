import type { Disk, DiskEntry } from './disk.ts'

export interface BoundOptions {
  /** Milliseconds that one question may take. Default: 2000. */
  readonly patience?: number | undefined
}

interface Probe {
  readonly answer: Promise<unknown>
  isLate: boolean
  /** The one that begins when this one has ended. */
  next?: Promise<unknown>
}

/** Milliseconds by which a timer is late where this process itself was busy: the answer may be here already, and only not read. */
const BUSY = 20
const UNREACHABLE: DiskEntry = { kind: 'unreachable' }

/**
 * A disk that always answers in time, though a network drive below it may hang.
 *
 * What takes too long counts as unreachable until it does answer. There is at most one call per path and question at a time,
 * so that a hanging drive holds no more; and an answer never comes from a call that began before the question was asked.
 */
export function boundDisk(disk: Disk, { patience = 2000 }: BoundOptions = {}): Disk {
  const running = new Map<string, Probe>()

  function ask<Result>(key: string, late: Result, question: () => Promise<Result>): Promise<Result> {
    const probe = running.get(key)
    if (!probe) return begin(key, late, question)
    if (probe.isLate) return Promise.resolve(late)
    probe.next ??= probe.answer.then(() => ask(key, late, question))
    return probe.next as Promise<Result>
  }

  function begin<Result>(key: string, late: Result, question: () => Promise<Result>): Promise<Result> {
    const answer = new Promise<Result>((resolve) => {
      let timer: NodeJS.Timeout
      const wait = (isLast = false): void => {
        const due = performance.now() + patience
        timer = setTimeout(() => (performance.now() - due > BUSY && !isLast ? wait(true) : giveUp()), patience).unref()
      }
      const giveUp = (): void => {
        probe.isLate = true
        resolve(late)
      }
      const end = (result: Result): void => {
        clearTimeout(timer)
        running.delete(key)
        resolve(result)
      }
      wait()
      question().then(end, () => end(late))
    })
    const probe: Probe = { answer, isLate: false }
    running.set(key, probe)
    return answer
  }

  return {
    platform: disk.platform,
    inspect: (path) => ask(`inspect ${path}`, UNREACHABLE, () => disk.inspect(path)),
    look: (path) => ask(`look ${path}`, UNREACHABLE, () => disk.look(path)),
    realPath: (path) => ask(`realPath ${path}`, undefined, () => disk.realPath(path)),
    canRead: (path, kind) => ask(`canRead ${kind} ${path}`, false, () => disk.canRead(path, kind)),
    list: (path) => ask(`list ${path}`, undefined, () => disk.list(path)),
    readText: (path, limit) => ask(`readText ${limit} ${path}`, undefined, () => disk.readText(path, limit)),
  }
}
