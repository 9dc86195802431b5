import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, opendir, realpath, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Root } from '@modelcontextprotocol/server'

/** A root that is there: the only places where this server reads or writes. */
export interface Folder {
  readonly name: string
  /** Without symbolic links. */
  readonly path: string
  readonly kind: 'folder' | 'file'
}

export interface Folders {
  readonly usable: readonly Folder[]
  /** One sentence for each root that cannot be used, and why. */
  readonly unusable: readonly string[]
}

export interface TextFile {
  readonly folder: Folder
  readonly path: string
  readonly text: string
}

/** A root may be a whole home folder: nobody waits for all of that to be read. */
const limits = { depth: 6, entries: 5000, bytes: 256 * 1024 } as const

/** Finds out which of the roots can be used at this moment. */
export async function openFolders(roots: readonly Root[]): Promise<Folders> {
  const usable: Folder[] = []
  const unusable: string[] = []
  for (const root of roots) {
    try {
      const path = await realpath(fileURLToPath(root.uri))
      const kind = (await stat(path)).isDirectory() ? 'folder' : 'file'
      usable.push({ name: root.name ?? basename(path), path, kind })
    } catch {
      unusable.push(`${root.name ?? root.uri} cannot be read, or is not there any more.`)
    }
  }
  return { usable, unusable }
}

/** Every Markdown file inside the folders, in a stable order. Links are not followed: they may lead out. */
export async function* readMarkdown(folders: readonly Folder[]): AsyncGenerator<TextFile> {
  const seen = new Set<string>()
  for (const folder of folders) {
    const paths = folder.kind === 'file' ? [folder.path] : await listFiles(folder.path)
    for (const path of paths) {
      if (!path.endsWith('.md') || seen.has(path)) continue
      seen.add(path)
      const text = await readText(path)
      if (text !== undefined) yield { folder, path, text }
    }
  }
}

export type Written = { readonly path: string } | { readonly refused: string }

/** Writes a file below a folder, and nowhere else. Never replaces one unless told to. */
export async function writeInside(folder: Folder, file: string, text: string, replace: boolean): Promise<Written> {
  const path = resolve(folder.path, file)
  const outside = { refused: `"${file}" is not inside ${folder.name}` }
  if (file.includes('\0') || !isInside(folder.path, path)) return outside
  if (!(await staysInside(folder.path, dirname(path)))) return outside
  await mkdir(dirname(path), { recursive: true })

  // What is there already is replaced by a complete file, in one step.
  const target = replace ? join(dirname(path), `.${randomUUID()}.draft`) : path
  const handle = await open(target, 'wx').catch((error: unknown) => (isTaken(error) ? undefined : Promise.reject(error)))
  if (handle === undefined) return { refused: `"${file}" is there already` }

  let kept = false
  try {
    await handle.writeFile(text)
    // A parent that was swapped for a link since we looked is found out here.
    if (!isInside(folder.path, await realpath(target))) return outside
    if (replace) await rename(target, path)
    kept = true
    return { path }
  } finally {
    await handle.close()
    if (!kept) await unlink(target).catch(() => {})
  }
}

async function listFiles(top: string): Promise<string[]> {
  const files: string[] = []
  const waiting = [{ path: top, depth: 0 }]
  let entries = 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const folder = await opendir(next.path).catch(() => undefined)
    if (folder === undefined) continue
    for await (const entry of folder) {
      entries += 1
      if (entries > limits.entries) return files.toSorted()
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = join(next.path, entry.name)
      if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && next.depth < limits.depth) waiting.push({ path, depth: next.depth + 1 })
    }
  }
  return files.toSorted()
}

async function readText(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    return size > limits.bytes ? undefined : await handle.readFile('utf8')
  } catch {
    return undefined
  } finally {
    await handle.close()
  }
}

/** The nearest part of the path that exists decides where the rest would really be made. */
async function staysInside(top: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real === top || isInside(top, real)
  return dirname(path) !== path && staysInside(top, dirname(path))
}

function isInside(top: string, path: string): boolean {
  const way = relative(top, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
