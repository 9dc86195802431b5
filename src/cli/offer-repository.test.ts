import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig, type EditedFile } from '../policy/index.ts'
import { offerRepository } from './offer-repository.ts'

/** A worktree `tree` of the repository `repo`, and whoever is asked about a server with this entry. */
function setUp(entry: object, answer: boolean | undefined) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const folder of ['worktrees/tree', 'objects', 'refs']) mkdirSync(join(base, 'repo/.git', folder), { recursive: true })
  writeFileSync(join(base, 'repo/.git/HEAD'), '')
  mkdirSync(join(base, 'tree'))
  writeFileSync(join(base, 'tree/.git'), `gitdir: ${base}/repo/.git/worktrees/tree\n`)
  writeFileSync(join(base, 'repo/.git/worktrees/tree/gitdir'), `${base}/tree/.git\n`)
  const file: EditedFile = { file: join(base, 'config.jsonc'), directory: base, home: base, platform: 'posix' }
  let text = JSON.stringify({ mcpServers: { files: { command: 'files', ...entry } } })
  const words: string[] = []
  const offer = async (): Promise<readonly string[]> => {
    words.length = 0
    await offerRepository(
      { server: 'files', path: join(base, 'tree'), config: parseConfig(text, file.file, file) },
      {
        ask: answer === undefined ? undefined : (question) => (words.push(question), Promise.resolve(answer)),
        say: (sentence) => words.push(sentence),
        edit: (change) => Promise.resolve((text = change(text, file))),
      },
    )
    return words.map((sentence) => sentence.replaceAll(base, ''))
  }
  return { offer, entry: () => (JSON.parse(text) as { mcpServers: { files: object } }).mcpServers.files, base }
}

const held = { sandbox: 'roots' }
const where = 'git keeps the repository of /tree in /repo/.git, which files cannot reach'

test('the repository of a worktree is offered to a held server for reading, and not again once it may', async () => {
  const { offer, entry, base } = setUp({ ...held, sandboxRead: ['/opt/more'] }, true)

  expect(await offer()).toEqual([
    `${where}. May it read there (status, log, diff)?`,
    'files may read /repo/.git, and change nothing there, when it is started next',
  ])
  expect(entry()).toEqual({ command: 'files', ...held, sandboxRead: ['/opt/more', `${base}/repo/.git`] })
  expect(await offer()).toEqual([])
})

test('whoever says no changes nothing, nobody is told how, and a server that is not held needs none of it', async () => {
  const [refused, alone, free] = [setUp(held, false), setUp(held, undefined), setUp({}, true)]

  expect(await refused.offer()).toEqual([`${where}. May it read there (status, log, diff)?`])
  expect(await alone.offer()).toEqual([`${where}: to have it read there (status, log, diff) add "/repo/.git" to its "sandboxRead" in the config`])
  expect(await free.offer()).toEqual([])
  expect([refused.entry(), alone.entry(), free.entry()]).toEqual([{ command: 'files', ...held }, { command: 'files', ...held }, { command: 'files' }])
})
