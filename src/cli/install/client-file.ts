import { constants, type Stats } from 'node:fs'
import { mkdir, open, realpath, rmdir, stat, utimes } from 'node:fs/promises'
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
/** A lock that is not touched for as long as a lock lives is taken away by others. */
const LOCK_TOUCH_MS = LOCK_LIFE / 4
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Readonly<Partial<typeof constants>>
/** What waits for a peer (a pipe that somebody put there) is not waited for, and a link that was put there is not followed. Windows has neither. */
const UNBLOCKED = O_RDONLY! | O_NONBLOCK | O_NOFOLLOW
/** Windows lets nobody replace a file that another program reads at that moment. */
const SWAP_TRIES = 10

/** @returns undefined where there is no such file. @throws ConsentryError `CONFIG_INVALID` for what is no file of text, or cannot be put back as it was */
export async function readClientFile(file: string): Promise<ReadFile | undefined> {
  try {
    const real = await realpath(file)
    const { found, bytes } = await readWhole(real)
    if (bytes === undefined) throw fault(file, found.isFile() ? 'is too large' : 'is no file')
    if (found.nlink > 1) throw fault(file, 'has several names (hard links), and would lose all but one: change it by hand')
    if ((found.mode & WRITABLE) === 0) throw fault(file, 'may only be read: somebody wants it to stay as it is')
    return { file, real, bytes, text: decode(bytes, file), mode: found.mode & 0o7777, owner: { uid: found.uid, gid: found.gid } }
  } catch (error) {
    if (error instanceof ConsentryError) throw error
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw fault(file, `cannot be read (${(error as Error).message})`, error)
  }
}

/** What else happens while nobody else writes the file. */
export interface WithinLock {
  /** Just before the text is put in its place: what it throws keeps the old one. */
  readonly before?: (() => Promise<void>) | undefined
  /** When it stands there. */
  readonly after?: (() => Promise<void>) | undefined
}

/**
 * Puts a text in the place of what was read, at once, with the same permissions and owner; after a crash it is the old file or the new one.
 *
 * @returns `changed` where the file is not as it was read: nothing is written then
 * @throws ConsentryError `CONFIG_INVALID` where it cannot be written, or its client does not let go of it
 */
export async function replaceClientFile(read: ReadFile, text: string, { before, after }: WithinLock = {}): Promise<'written' | 'changed'> {
  const { file, real, mode, owner } = read
  const release = await lock(read)
  try {
    const content = new TextEncoder().encode(text)
    await requireSame(read)
    await before?.()
    await withPatience(() => swapFile(real, content, { mode, owner, lastLook: () => requireSame(read) }))
    await after?.()
    return 'written'
  } catch (error) {
    if (error instanceof Changed) return 'changed'
    if (error instanceof ConsentryError) throw error
    throw fault(file, `cannot be written (${(error as Error).message}): it is as it was`, error)
  } finally {
    await release()
  }
}

class Changed extends Error {}

/** The same bytes, in the same place: a link or a pipe that somebody put there is another file. */
async function requireSame({ file, real, bytes }: ReadFile): Promise<void> {
  const place = await realpath(file).catch(() => undefined)
  const now = place === real ? await readWhole(real).catch(() => undefined) : undefined
  if (now?.bytes?.equals(bytes) !== true) throw new Changed()
}

/** @returns no bytes of what is no file, or too large for one */
async function readWhole(real: string): Promise<{ readonly found: Stats; readonly bytes: Buffer | undefined }> {
  const handle = await open(real, UNBLOCKED)
  try {
    const found = await handle.stat()
    return { found, bytes: found.isFile() && found.size <= MOST_BYTES ? await handle.readFile() : undefined }
  } finally {
    await handle.close()
  }
}

/** The lock that many programs of Node take, Claude Code among them: a folder beside the file. */
async function lock({ file, real }: ReadFile): Promise<() => Promise<void>> {
  const folder = `${real}.lock`
  const end = performance.now() + LOCK_PATIENCE_MS
  for (;;) {
    try {
      await mkdir(folder)
      return keepLock(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fault(file, `cannot be written (${(error as Error).message}): it is as it was`, error)
      const found = await stat(folder).catch(() => undefined)
      if (found?.isDirectory() && isAbandoned(found)) await rmdir(folder).catch(() => undefined)
      if (performance.now() > end) throw fault(file, `is held by another program (${folder}): end that, and try again`, error)
    }
    await sleep(LOCK_PAUSE_MS)
  }
}

/** @returns what lets go of it */
function keepLock(folder: string): () => Promise<void> {
  const touching = setInterval(() => void utimes(folder, new Date(), new Date()).catch(() => undefined), LOCK_TOUCH_MS).unref()
  return async () => {
    clearInterval(touching)
    await rmdir(folder).catch(() => undefined)
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
