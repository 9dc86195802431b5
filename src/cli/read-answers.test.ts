import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readAnswers } from './read-answers.ts'

test('an answers file is read relative to the folder, and refused where it is missing, no regular file or no UTF-8', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'read-answers-'))
  writeFileSync(join(cwd, 'sound'), '\uFEFF{ "answers": [] }')
  writeFileSync(join(cwd, 'latin'), Buffer.from([0x2f, 0x2f, 0xe9, 0x0a, 0x7b, 0x7d]))

  expect(await readAnswers('sound', { cwd })).toEqual({ file: join(cwd, 'sound'), entries: [] })
  for (const [name, problem] of [
    ['latin', 'is not UTF-8'],
    ['none', 'does not exist'],
    ['.', 'is no regular file'],
    ['/dev/zero', 'is no regular file'],
  ] as const)
    await expect(readAnswers(name, { cwd })).rejects.toMatchObject({
      code: 'ANSWERS_FILE_INVALID',
      message: expect.stringContaining(problem),
      data: { file: resolve(cwd, name) },
    })
  rmSync(cwd, { recursive: true })
})
