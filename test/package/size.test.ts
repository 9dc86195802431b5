import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'

const LIMIT_BYTES = 60 * 1024 * 1024

test('what a user installs stays below 60 MB', () => {
  const lock = JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> }
  const installed = Object.entries(lock.packages).filter(([name, entry]) => name !== '' && !entry.dev)

  const bytes = installed.reduce((sum, [name]) => sum + sizeOf(join(projectFolder, name)), sizeOf(join(projectFolder, 'dist')))

  expect(bytes).toBeLessThan(LIMIT_BYTES)
})

/** 0 for packages of other platforms, which are not installed here. Packages inside packages have their own entry. */
function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.size ?? 0
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
