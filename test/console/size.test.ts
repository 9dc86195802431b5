import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'

const folder = join(projectFolder, 'dist/console')
const LIMIT_BYTES = 220 * 1024

test('at first load the console is at most 220 KB of JavaScript, its largest language included', () => {
  const assets = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const named = [...readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/gu)].map((match) => match[1]!)
  const loaded: ReadonlySet<string> = named.reduce((found, name) => loadedWith(name, found), new Set<string>())
  const languages = assets.filter((name) => /^(en|ko|zh)-/u.test(name)).map(sizeOf)

  const bytes = [...loaded].reduce((sum, name) => sum + sizeOf(name), 0) + Math.max(...languages)

  expect([languages.length, loaded.size < 6, [...loaded].some((name) => name.startsWith('first-'))]).toEqual([3, true, true])
  expect(bytes).toBeLessThan(LIMIT_BYTES)
})

test('the page runs and styles nothing that stands in itself', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')

  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/u)
  expect(html).toContain('__NONCE__')
})

/** The file and all that it imports statically. */
function loadedWith(name: string, found: Set<string>): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const source = readFileSync(join(folder, 'assets', name), 'utf8')
  for (const match of source.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/gu)) loadedWith(match[1]!, found)
  return found
}

function sizeOf(name: string): number {
  return gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length
}
