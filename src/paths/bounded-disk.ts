import type { Disk, DiskEntry } from './disk.ts'

export interface BoundOptions {
  /** Milliseconds that one question may take. Default: 1000. */
  readonly patience?: number | undefined
}

const UNREACHABLE: DiskEntry = { kind: 'unreachable' }

/**
 * A disk that always answers in time, though a network drive below it may hang.
 *
 * What takes too long counts as unreachable until it does answer; meanwhile nothing more is asked about the same path,
 * so that a hanging drive holds at most one call per path and question.
 */
export function boundDisk(disk: Disk, { patience = 1000 }: BoundOptions = {}): Disk {
  const outstanding = new Map<string, Promise<unknown>>()

  function ask<Result>(key: string, late: Result, question: () => Promise<Result>): Promise<Result> {
    const asked = outstanding.get(key) as Promise<Result> | undefined
    if (asked) return asked
    const answer = new Promise<Result>((resolve) => {
      const timer = setTimeout(() => resolve(late), patience)
      timer.unref()
      void question()
        .then(resolve, () => resolve(late))
        .finally(() => {
          clearTimeout(timer)
          outstanding.delete(key)
        })
    })
    outstanding.set(key, answer)
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
