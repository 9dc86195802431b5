import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { privateFiles } from '../store/private-files.ts'

/** The built app, by the path that the browser asks for. */
export interface AppFiles {
  /** Undefined where there is no such file: only what was there when the desk started is ever read. */
  read(path: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string } | undefined>
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
}

/** Lists a folder once; a path of the browser is looked up, never followed. */
export async function openAppFiles(folder: string): Promise<AppFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]),
  )
  return {
    async read(path) {
      const file = files.get(path)
      const type = types[path.slice(path.lastIndexOf('.') + 1)]
      if (file === undefined || type === undefined) return undefined
      return { bytes: new Uint8Array(await readFile(file)), type }
    },
  }
}

/**
 * Writes a page for the user's eyes only that sends a browser to an address, so that the address is never an argument of a process, where everybody on the machine could read it.
 *
 * @returns the file, and the function that takes it away
 */
export async function writeRedirect(folder: string, name: string, address: string): Promise<{ readonly file: string; readonly remove: () => Promise<void> }> {
  await privateFiles.makeFolder(folder)
  const file = join(folder, `${name}.html`)
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><title>Consentry</title>`
  await writeFile(file, page, { mode: 0o600, flag: 'wx' })
  return { file, remove: () => rm(file, { force: true }) }
}

/** Takes away what a desk that was killed has left. */
export function removeRedirects(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
