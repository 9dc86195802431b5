import { mkdir, readFile, realpath, rmdir, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConsentryError } from '../../errors.ts'
import { isAbandoned, LOCK_LIFE, swapFile } from '../../store/swap-file.ts'

/** A client's config file as it was read. */
export interface ReadFile {
  /** As it was named. */
  readonly file: string
  /** Where it really is: a link stays one. */
  readonly real: string
  readonly bytes: Uint8Array
  /** With its byte order mark. */
  readonly text: string
  readonly mode: number
  readonly owner: { readonly uid: number; readonly gid: number }
}

/** By anybody. */
const WRITABLE = 0o222
const MOST_BYTES = 64 * 1024 * 1024
const LOCK_PAUSE_MS = 50
/** Longer than a lock lives that nobody keeps. */
const LOCK_PATIENCE_MS = LOCK_LIFE + 2000
/** Windows lets nobody replace a file that another program reads at that moment. */
const SWAP_TRIES = 10

/** @returns undefined where there is no such file. @throws ConsentryError `CONFIG_INVALID` for what is no file of text, or cannot be put back as it was */
export async function readClientFile(file: string): Promise<ReadFile | undefined> {
  try {
    const real = await realpath(file)
    const found = await stat(real)
    if (!found.isFile()) throw fault(file, 'is no file')
    if (found.size > MOST_BYTES) throw fault(file, 'is too large')
    if (found.nlink > 1) throw fault(file, 'has several names (hard links), and would lose all but one: change it by hand')
    if ((found.mode & WRITABLE) === 0) throw fault(file, 'may only be read: somebody wants it to stay as it is')
    const bytes = await readFile(real)
    return { file, real, bytes, text: decode(bytes, file), mode: found.mode & 0o7777, owner: { uid: found.uid, gid: found.gid } }
  } catch (error) {
    if (error instanceof ConsentryError) throw error
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw fault(file, `cannot be read (${(error as Error).message})`, error)
  }
}

/**
 * Puts a text in the place of what was read, at once, with the same permissions and owner; after a crash it is the old file or the new one.
 *
 * @returns `changed` where the file is not as it was read: nothing is written then
 * @throws ConsentryError `CONFIG_INVALID` where it cannot be written, or its client does not let go of it
 */
export async function replaceClientFile(read: ReadFile, text: string): Promise<'written' | 'changed'> {
  const { file, real, mode, owner } = read
  const release = await lock(read)
  try {
    const content = new TextEncoder().encode(text)
    await withPatience(() => swapFile(real, content, { mode, owner, lastLook: () => requireSame(read) }))
    return 'written'
  } catch (error) {
    if (error instanceof Changed) return 'changed'
    throw fault(file, `cannot be written (${(error as Error).message}): it is as it was`, error)
  } finally {
    await release()
  }
}

class Changed extends Error {}

async function requireSame({ real, bytes }: ReadFile): Promise<void> {
  const now = await readFile(real).catch(() => undefined)
  if (now === undefined || !now.equals(bytes)) throw new Changed()
}

/** The lock that many programs of Node take, Claude Code among them: a folder beside the file. */
async function lock({ file, real }: ReadFile): Promise<() => Promise<void>> {
  const folder = `${real}.lock`
  const end = performance.now() + LOCK_PATIENCE_MS
  for (;;) {
    try {
      await mkdir(folder)
      return () => rmdir(folder).catch(() => undefined)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fault(file, `cannot be written (${(error as Error).message}): it is as it was`, error)
      const found = await stat(folder).catch(() => undefined)
      if (found?.isDirectory() && isAbandoned(found)) await rmdir(folder).catch(() => undefined)
      if (performance.now() > end) throw fault(file, `is held by another program (${folder}): end that, and try again`, error)
    }
    await sleep(LOCK_PAUSE_MS)
  }
}

async function withPatience(swap: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await swap()
    } catch (error) {
      const isHeld = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!isHeld || tries === SWAP_TRIES) throw error
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/** What is not read whole would be written back with something else in its place. */
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw fault(file, 'is not UTF-8 text', cause)
  }
}

function fault(file: string, problem: string, cause?: unknown): ConsentryError {
  return new ConsentryError('CONFIG_INVALID', `${file} ${problem}`, { cause, data: { file } })
}
