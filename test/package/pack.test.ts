import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectFolder } from '../architecture/source-files.ts'

const execute = promisify(execFile)
/** What the npm that runs these tests tells its children is not meant for these. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/i.test(name)))
const run = (file: string, args: readonly string[], cwd: string): Promise<{ readonly stdout: string }> => execute(file, [...args], { cwd, env })

test('a clone that was never built is packed whole: the tarball runs with npx from an empty folder, and its doors open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'consentry-pack-'))
  try {
    const clone = join(folder, 'clone')
    await cp(projectFolder, clone, { recursive: true, filter: (path) => !/[\\/](?:node_modules|dist|\.git)$/.test(path) })
    await symlink(join(projectFolder, 'node_modules'), join(clone, 'node_modules'), 'junction')
    await run('npm', ['pack', '--pack-destination', folder], clone)
    const tarball = join(
      folder,
      (await readdir(folder)).find((name) => name.endsWith('.tgz'))!,
    )
    const empty = join(folder, 'empty')
    await mkdir(empty)

    const { stdout } = await run('npx', ['--yes', '--package', tarball, 'consentry', '--version'], empty)
    const project = join(folder, 'project')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{"name":"embedder","private":true}')
    await run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', tarball], project)
    const doors = await run('node', ['--input-type=module', '-e', importDoors], project)

    expect({ version: stdout.trim(), doors: doors.stdout.trim() }).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/), doors: 'open' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 300_000)

const importDoors = `
const { exports } = (await import('consentry/package.json', { with: { type: 'json' } })).default
for (const door of Object.keys(exports)) if (!door.endsWith('.json')) await import('consentry' + door.slice(1))
console.log('open')
`
