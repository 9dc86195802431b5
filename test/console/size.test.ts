import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'

const folder = join(projectFolder, 'dist/console')
const LIMIT_BYTES = 220 * 1024

test('at first load the console is at most 220 KB of JavaScript, its largest language included', () => {
  const assets = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const entry = /src="\/assets\/([^"]+\.js)"/u.exec(readFileSync(join(folder, 'index.html'), 'utf8'))![1]!
  const languages = assets.filter((name) => /^(en|ko|zh)-/u.test(name)).map(sizeOf)

  const bytes = [...loadedWith(entry)].reduce((sum, name) => sum + sizeOf(name), 0) + Math.max(...languages)

  expect(languages).toHaveLength(3)
  expect(bytes).toBeLessThan(LIMIT_BYTES)
})

test('the page runs and styles nothing that stands in itself', () => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')

  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/u)
  expect(html).toContain('__NONCE__')
})

/** The file and all that it imports statically. */
function loadedWith(name: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(name)) return found
  found.add(name)
  const source = readFileSync(join(folder, 'assets', name), 'utf8')
  for (const match of source.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/gu)) loadedWith(match[1]!, found)
  return found
}

function sizeOf(name: string): number {
  return gzipSync(readFileSync(join(folder, 'assets', name)), { level: 9 }).length
}
