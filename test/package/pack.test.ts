import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'

const run = promisify(execFile)

test('the packed tarball runs with npx from an empty folder, and its doors open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'consentry-pack-'))
  try {
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: projectFolder })
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))!

    const { stdout } = await run('npx', ['--yes', '--package', `./${tarball}`, 'consentry', '--version'], { cwd: folder })
    await run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', `./${tarball}`], { cwd: folder })
    const doors = await run('node', ['--input-type=module', '-e', importDoors], { cwd: folder })

    expect({ version: stdout.trim(), doors: doors.stdout.trim() }).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), doors: 'open' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)

const importDoors = `
const { exports } = (await import('consentry/package.json', { with: { type: 'json' } })).default
for (const door of Object.keys(exports)) if (!door.endsWith('.json')) await import('consentry' + door.slice(1))
console.log('open')
`
