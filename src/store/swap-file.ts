import { open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export interface SwapOptions {
  /** Permissions of the new file. */
  readonly mode: number
  /** Whom it belongs to, where that is not whoever runs this. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** Runs when the new text lies ready; what it throws keeps the old one. */
  readonly lastLook?: (() => Promise<void>) | undefined
}

const DRAFT = /\.[0-9a-f]{12}\.new$/
/** Milliseconds after which a draft, or a lock, belongs to a process that died. */
export const LOCK_LIFE = 10_000

/** Puts a content in the place of a file, at once: after a crash, or a power cut, it is the old one or the new one. */
export async function swapFile(target: string, content: string | Uint8Array, { mode, owner, lastLook }: SwapOptions): Promise<void> {
  await sweepDrafts(target)
  const draft = `${target}.${globalThis.crypto.randomUUID().slice(-12)}.new`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await dress(handle, mode, owner)
    await handle.sync()
    await handle.close()
    await lastLook?.()
    await rename(draft, target)
  } catch (error) {
    await handle.close()
    await unlink(draft).catch(() => undefined)
    throw error
  }
}

/** A time far ahead is as wrong as one long ago: no process has just made it. */
export function isAbandoned({ mtimeMs }: { readonly mtimeMs: number }): boolean {
  return Math.abs(Date.now() - mtimeMs) > LOCK_LIFE
}

async function dress(handle: FileHandle, mode: number, owner: SwapOptions['owner']): Promise<void> {
  if (owner) {
    const { uid, gid } = await handle.stat()
    if (uid !== owner.uid || gid !== owner.gid) await handle.chown(owner.uid, owner.gid)
  }
  // After the owner: a change of owner takes some permissions away. What was asked for counts, not what the process usually makes.
  await handle.chmod(mode)
}

const swept = new Set<string>()

/** A process that is killed while it writes leaves its draft behind: looked for once, and never a reason not to write. */
async function sweepDrafts(target: string): Promise<void> {
  if (swept.has(target)) return
  swept.add(target)
  const folder = dirname(target)
  const names = await readdir(folder).catch(() => [])
  const drafts = names.filter((name) => name.replace(DRAFT, '') === basename(target) && DRAFT.test(name)).map((name) => join(folder, name))
  for (const draft of drafts) {
    const found = await stat(draft).catch(() => undefined)
    if (found && isAbandoned(found)) await unlink(draft).catch(() => undefined)
  }
}
