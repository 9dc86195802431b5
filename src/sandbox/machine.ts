import { execFile } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { identityOf } from '../paths/anchor.ts'
import { DESCRIPTORS, O_PATH, readReach } from '../paths/descriptor.ts'

/** What came of a short run of another program; undefined where it could not be started, or took too long. */
export interface ShortRun {
  readonly code: number
  readonly output: string
}

/** Something that is there, seen in one look: its path without links, and which object it is (device and inode). */
export interface Sight {
  readonly path: string
  readonly identity: string
}

/** All that holding a server asks of this machine. What cannot be found out is undefined. */
export interface Machine {
  readonly platform: string
  /** As Node names it: `x64`, `arm64`. */
  readonly architecture: string
  /** Real paths of what runs here: of Node, and of this program. */
  readonly own: readonly string[]
  /** Links followed. */
  kindOf(path: string): 'file' | 'folder' | 'other' | undefined
  realPath(path: string): string | undefined
  /** Links followed. */
  lookAt(path: string): Sight | undefined
  /** The target of a link, as it is written there. */
  linkAt(path: string): string | undefined
  isExecutable(path: string): boolean
  /** The first bytes of a file. */
  headOf(path: string): string
  run(command: string, args: readonly string[]): Promise<ShortRun | undefined>
  /** Where a package of ours is, if somebody installed it. */
  findPackage(name: string): string | undefined
  /** Descriptors that whoever started us left open for everybody: ours are none of them. */
  closeInherited(): void
  /** A folder of its own, gone when this process is at the latest. @returns its path, and what removes it */
  makeTemporary(): { readonly path: string; readonly remove: () => void }
}

const LONGEST_RUN_MS = 5000
const HEAD_BYTES = 256
/** In the flags of a descriptor: it ends with the program that opened it. */
const CLOSES_ON_EXEC = 0o2_000_000

/** This machine. */
export const thisMachine: Machine = {
  platform: process.platform,
  architecture: process.arch,
  own: [process.execPath, fileURLToPath(import.meta.url)].flatMap((path) => attempt(() => realpathSync.native(path)) ?? []),
  kindOf(path) {
    const stats = attempt(() => statSync(path, { throwIfNoEntry: false }))
    return stats && (stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other')
  },
  // The system's own way knows the spelling of the disk, where upper and lower case are the same.
  realPath: (path) => attempt(() => realpathSync.native(path)),
  lookAt: (path) => attempt(() => (process.platform === 'linux' ? lookByHold(path) : lookByName(path))),
  linkAt: (path) => attempt(() => readlinkSync(path)),
  isExecutable: (path) => attempt(() => accessSync(path, constants.X_OK) ?? true) ?? false,
  headOf: (path) => attempt(() => readHead(path)) ?? '',
  run: (command, args) =>
    new Promise((resolve) => {
      execFile(command, args, { timeout: LONGEST_RUN_MS, env: {} }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined
        resolve(code === undefined ? undefined : { code, output: `${stdout}${stderr}`.trim() })
      }).stdin?.end()
    }),
  findPackage: (name) => attempt(() => createRequire(import.meta.url).resolve(name)),
  closeInherited() {
    for (const name of attempt(() => readdirSync('/proc/self/fdinfo')) ?? []) {
      const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(attempt(() => readFileSync(`/proc/self/fdinfo/${name}`, 'utf8')) ?? '')?.[1] ?? '', 8)
      if (Number(name) > 2 && !Number.isNaN(flags) && (flags & CLOSES_ON_EXEC) === 0) attempt(() => closeSync(Number(name)))
    }
  },
  makeTemporary() {
    const path = mkdtempSync(join(realpathSync(tmpdir()), 'consentry-sandbox-'))
    if (temporaries.size === 0) process.on('exit', removeTemporaries)
    temporaries.add(path)
    return { path, remove: () => removeTemporary(path) }
  },
}

const temporaries = new Set<string>()

function removeTemporary(path: string): void {
  attempt(() => rmSync(path, { recursive: true, force: true }))
  if (temporaries.delete(path) && temporaries.size === 0) process.off('exit', removeTemporaries)
}

function removeTemporaries(): void {
  for (const path of temporaries) removeTemporary(path)
}

/** What is held cannot be swapped between the two questions that are asked about it. */
function lookByHold(path: string): Sight | undefined {
  const held = openSync(path, O_PATH)
  try {
    const real = readReach(`${DESCRIPTORS}/${held}`)
    return real === undefined ? undefined : { path: real, identity: identityOf(fstatSync(held, { bigint: true })) }
  } finally {
    closeSync(held)
  }
}

function lookByName(path: string): Sight {
  const real = realpathSync.native(path)
  return { path: real, identity: identityOf(statSync(real, { bigint: true })) }
}

function readHead(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return ''
    const bytes = Buffer.alloc(HEAD_BYTES)
    return bytes.toString('latin1', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}
