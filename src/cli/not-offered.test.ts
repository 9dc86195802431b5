import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyConfig, type Config } from '../policy/index.ts'
import { describeNotOffered, listNotOffered } from './not-offered.ts'
import type { Place } from './place.ts'

const plain = 'not offered to travel: nobody can be asked here (no terminal, no --answers FILE'
const none = { roots: true, form: false, url: false, sampling: false, samplingTools: false }

function say(config: Partial<Config>, { hasDesk = false, can = none } = {}): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'consentry-lacking-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  if (hasDesk) writeFileSync(join(home, 'desk.json'), JSON.stringify({ socket: '/s', key: 'k', pid: 1 }), { mode: 0o600 })
  const place = { environment: { CONSENTRY_HOME: home }, platform: process.platform } as unknown as Place
  return describeNotOffered(listNotOffered(can), 'travel', { ...emptyConfig, ...config }, place)
}

test('what is not offered is named, with what else would answer: a desk that runs, or a model where only that is missing', async () => {
  const rules: Config['rules'] = [{ request: 'sampling', decision: 'allow' }]
  const models: Config['models'] = [{ provider: 'ollama', model: 'm' }]

  expect(await say({})).toBe(`forms, web pages and completions are ${plain})`)
  expect(await say({}, { hasDesk: true })).toBe(
    `forms, web pages and completions are ${plain}; the desk that runs answers what comes through consentry wrap, and through Try it in its console)`,
  )
  expect(await say({ rules })).toMatch(/\)\. A rule allows completions, and there is no model that could answer: consentry models detect looks for some$/)
  expect(await say({ rules, models })).not.toContain('A rule allows')
  expect(await say({ rules }, { can: { ...none, sampling: true } })).toBe(`forms and web pages are ${plain})`)
})
