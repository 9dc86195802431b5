import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConfig } from '../../src/cli/open-config.ts'
import { openDesk } from '../../src/cli/open-desk.ts'
import type { Place } from '../../src/cli/place.ts'
import type { Inbox } from '../../src/inbox/index.ts'
import type { Era } from '../../src/protocol/index.ts'
import { createScriptedPerson, formQuestion, rootsQuestion, type ScriptedPerson } from '../../src/testing/index.ts'
import { standingRule } from '../fixtures/standing-rule.ts'
import { answersOf, eras, withDesk, type Setting } from '../fixtures/setting.ts'

const seat = formQuestion('Window or aisle?', { seat: { type: 'string' } })

interface Following extends Setting {
  readonly folder: string
  readonly inbox: Inbox
  readonly person: ScriptedPerson
  /** Writes the config, and waits until it is taken up, or found broken. */
  readonly edit: (text: string) => Promise<void>
}

/** A host over the desk that the command line opens, with a config that can be edited. */
async function following(era: Era, text: (folder: string) => string): Promise<Following> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'config-scenario-')))
  for (const name of ['trip', 'secret']) mkdirSync(join(folder, name))
  const file = join(folder, 'config.jsonc')
  writeFileSync(file, text(folder))
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const place: Place = {
    environment: { CONSENTRY_HOME: folder, HOME: folder },
    cwd: folder,
    platform: process.platform,
    interrupted: new AbortController().signal,
    stdin,
    stdout,
    stderr,
  }
  const config = await openConfig(place)
  const opened = await openDesk({ config, roots: [], notice: () => undefined }, place)
  onTestFinished(async () => {
    await opened.close()
    config.close()
    rmSync(folder, { recursive: true })
  })
  const person = createScriptedPerson({
    inbox: opened.inbox!,
    decide: ({ kind }) => (kind === 'form' ? { action: 'accept', content: { seat: 'aisle' } } : undefined),
  })
  const setting = await withDesk(opened.desk, {
    era,
    server: { tools: { ask: [seat], list: [rootsQuestion()], echo: () => 'still here' } },
  })
  async function edit(next: string): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      config.on('changed', () => resolve())
      config.on('broken', () => resolve())
    })
    writeFileSync(file, next)
    await seen
  }
  return { ...setting, folder, person, inbox: opened.inbox!, edit }
}

const allowing = (folder: string): string =>
  JSON.stringify({
    roots: { travel: [{ path: join(folder, 'trip') }] },
    rules: [standingRule('travel', seat.params, { seat: 'window' })],
  })

describe.each(eras)('a config that is broken while we run, in the %s era', (era) => {
  test('suspends the rules, exposes nothing new, and stops no ordinary traffic, until it is mended', async () => {
    const setting = await following(era, allowing)
    await setting.call('ask')
    await setting.edit(`{ "roots": { "travel": [{ "path": ${JSON.stringify(join(setting.folder, 'secret'))} }] }, "rules": [`)
    await setting.call('ask')
    await setting.call('list')
    const echo = await setting.call('echo')
    await setting.edit(allowing(setting.folder))
    await setting.call('ask')

    expect(setting.ends.map(({ response }) => response)).toMatchObject([
      { by: 'rule', result: { content: { seat: 'window' } } },
      { by: 'person', result: { content: { seat: 'aisle' } } },
      { by: 'rule', result: { roots: [{ uri: `file://${setting.folder}/trip` }] } },
      { by: 'rule', result: { content: { seat: 'window' } } },
    ])
    expect(echo).toEqual({ content: [{ type: 'text', text: 'still here' }] })
  })

  test('with a key that nobody knows is as broken as one that does not parse: nothing of it is applied', async () => {
    const setting = await following(era, allowing)
    await setting.edit(allowing(setting.folder).replace('{"roots"', '{"rulse":[],"roots"').replace('"window"', '"cockpit"'))
    await setting.call('ask')

    expect(setting.ends).toMatchObject([{ response: { by: 'person', result: { content: { seat: 'aisle' } } } }])
  })

  test('keeps denying what it denied', async () => {
    const setting = await following(era, () => JSON.stringify({ rules: [{ server: 'travel', request: 'elicitation', decision: 'deny' }] }))
    await setting.edit('{ "rules": [')
    await setting.call('ask')

    expect([answersOf(setting), setting.person.reviews]).toEqual([[{ action: 'decline' }], []])
  })
})
