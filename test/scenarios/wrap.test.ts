import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { standingRule } from '../fixtures/standing-rule.ts'
import { askingServer, node, peer, program, Workplace } from '../fixtures/program.ts'
import { RawClient } from '../fixtures/wrapped.ts'

const server = (options: object = {}): readonly string[] => ['--', node, peer, JSON.stringify(options)]
const call = (id: number, name: string, args: object = {}): object => ({ id, method: 'tools/call', params: { name, arguments: args } })
const who = { when: { request: 'elicitation' }, then: { action: 'accept', content: { name: 'Ada' } } }

/** Whether a process is there, and no zombie. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('a client that can be asked everything gets the same bytes with and without wrap', async () => {
  const place = new Workplace()
  const talk = async (command: readonly string[]): Promise<readonly string[]> => {
    const client = new RawClient(command, place)
    await client.shakeHands({ roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } })
    client.say(call(1, 'echo', { text: '\u00fc \u{1f600}' }), ' {"method":"tools\\/list", "jsonrpc":"2.0" ,"id":2.0}\r\n', call(4, 'big', { bytes: 200_000 }))
    await client.answerTo(4)
    client.say(call(3, 'split'))
    await client.answerTo(3)
    client.say(call(5, 'form'))
    await client.until(() => client.lines.some((line) => line.includes('elicitation/create')))
    client.say('{"jsonrpc":"2.0", "id":0,"result":{"action":"accept","content":{"name":"A"} } }\n')
    await client.answerTo(5)
    client.child.stdin!.end()
    await client.ended
    return client.lines.toSorted()
  }
  const direct = await talk([node, peer, '{}'])

  expect(await talk([node, program, 'wrap', ...server()])).toEqual(direct)
})

test('nothing of ours is written where nobody asked for it: no state folder, nothing on stderr', async () => {
  const place = new Workplace()
  const client = RawClient.wrap(place, server())
  await client.shakeHands({ roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } })
  client.say(call(1, 'echo'))
  await client.answerTo(1)
  client.child.stdin!.end()

  expect([await client.ended, client.stderr, place.state()]).toEqual([0, '', []])
})

test('where nobody can be asked, only folders are promised, stderr says why, and what is asked all the same is refused at once', async () => {
  const place = new Workplace()
  const record = join(place.folder, 'record')
  const client = RawClient.wrap(place, ['--no-desk', ...server({ record })])
  await client.shakeHands()
  client.say(call(1, 'form'))
  const { result } = await client.answerTo(1)
  const told = JSON.parse(
    place
      .read('record')
      .split('\n')
      .find((line) => line.includes('"initialize"'))!,
  ) as { params: { capabilities: unknown } }

  expect([told.params.capabilities, JSON.stringify(result)]).toEqual([{ roots: { listChanged: true } }, expect.stringContaining('-32601')])
  expect(client.stderr).toContain('nobody can be asked here (no --answers FILE), so that the server is not offered: forms, pages to visit, completions')
})

test('a rule of the config answers a form with nobody there, and is all that is promised beside the folders', async () => {
  const place = new Workplace()
  const asked = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string', pattern: '^A', 'x-vendor': 1 } } } }
  place.config({ rules: [standingRule('travel', asked, { name: 'Ada' })] })
  const record = join(place.folder, 'record')
  const client = RawClient.wrap(place, ['--no-desk', '--name', 'travel', ...server({ record })])
  await client.shakeHands()
  client.say(call(1, 'form'))
  const { result } = await client.answerTo(1)

  expect([place.read('record'), JSON.stringify(result)]).toEqual([
    expect.stringContaining('"capabilities":{"roots":{"listChanged":true},"elicitation":{"form":{}}}'),
    expect.stringContaining('\\"name\\":\\"Ada\\"'),
  ])
})

test('folders are live: one that goes while the server runs is told, with an answers file too', async () => {
  const place = new Workplace()
  for (const name of ['trip', 'stays']) mkdirSync(join(place.folder, name))
  const client = RawClient.wrap(place, ['--root', 'trip', '--root', 'stays', '--answers', place.answers(), '--', node, askingServer, 'legacy'])
  await client.shakeHands()
  client.say(call(1, 'watch'))
  // The first list has been told, whenever that is.
  await expect.poll(async () => (await place.run(['audit', 'list', '--json'])).stdout, { timeout: 60_000 }).toMatch(/"event":\s*"answered"/)
  rmSync(join(place.folder, 'trip'), { recursive: true })
  const { result } = await client.answerTo(1)

  expect(['trip', 'stays'].map((name) => JSON.stringify(result).split(`/${name}`).length - 1)).toEqual([1, 2])
}, 120_000)

test('--record writes what was answered, for the user alone', async () => {
  const place = new Workplace()
  const client = RawClient.wrap(place, ['--record', 'recorded.json', '--answers', place.answers(who), ...server()])
  await client.shakeHands()
  client.say(call(1, 'form'))
  await client.answerTo(1)
  client.child.stdin!.end()
  await client.ended

  expect(JSON.parse(place.read('recorded.json'))).toMatchObject({
    answers: [{ when: { request: 'elicitation', message: { exactly: 'Who?' } }, then: { action: 'accept', content: { name: 'Ada' } } }],
  })
})

test('content that does not fit is not sent, and stderr names the field', async () => {
  const place = new Workplace()
  const answers = place.answers({ when: { request: 'elicitation' }, then: { action: 'accept', content: { name: 'Bob', pet: 1 } } })
  const client = RawClient.wrap(place, ['--answers', answers, ...server()])
  await client.shakeHands()
  client.say(call(1, 'form'))
  const { result } = await client.answerTo(1)

  expect([JSON.stringify(result), client.stderr]).toEqual([
    expect.stringContaining('cancel'),
    expect.stringMatching(/does not fit: name[\s\S]*pet|does not fit: pet[\s\S]*name/),
  ])
})

test('a wrap around a wrap: the inner one answers, the outer one passes, and rounds find their way through both', async () => {
  const place = new Workplace()
  const answers = place.answers({ when: { request: 'elicitation' }, then: { action: 'accept', content: { name: 'Ada' } } })
  const inner = [node, program, 'wrap', '--answers', answers, '--', node, peer, '{"era":"both"}']
  const client = RawClient.wrap(place, ['--pass', 'elicitation', '--', ...inner])
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
  client.say({ id: 7, method: 'tools/call', params: { name: 'round', _meta: meta } })
  const modern = await client.answerTo(7)
  await client.shakeHands()
  client.say(call(1, 'form'))

  expect([JSON.stringify(modern.result), JSON.stringify((await client.answerTo(1)).result)]).toEqual([
    expect.stringContaining('\\"state\\":\\"state\\"'),
    expect.stringContaining('\\"name\\":\\"Ada\\"'),
  ])
})

test('a stray line of the server is shown as words, and cannot act on the terminal', async () => {
  const place = new Workplace()
  const client = RawClient.wrap(place, [
    '--',
    node,
    '-e',
    String.raw`process.stdout.write('\u001b[2J owned\n');process.stdin.on('end', () => process.exit(0)).resume()`,
  ])
  await client.until(() => client.stderr.includes('owned'))

  expect([client.lines, client.stderr.includes('\u001b')]).toEqual([[], false])
})

test.each([
  ['an unknown option', ['--no-such', 'x'], 'does not know "--no-such"'],
  ['an unknown feature', ['--take', 'tools'], 'does not know "tools"'],
  ['a feature in both lists', ['--take', 'roots', '--pass', 'roots,sampling'], 'roots stands in --take and in --pass'],
  ['a word that is no option', ['server.js'], 'the command of the server stands after --'],
  ['a value that is missing', ['--name'], '--name needs a value'],
  ['a folder that cannot be one', ['--root', 'file:///a#b'], 'cannot be a root'],
  ['an address too', ['--url', 'https://a.example/'], 'in front of one server'],
  ['a sandbox that is none', ['--sandbox', 'everything'], '--sandbox is'],
  ['a size that is none', ['--max-message', '1.5'], 'whole number of megabytes'],
  ['an answers file that is not there', ['--answers', 'nowhere.json'], 'nowhere.json'],
])('%s is refused before anything is started', async (_, options, words) => {
  const place = new Workplace()
  const { code, stdout, stderr } = await place.run(['wrap', ...options, '--', node, '-e', 'require("fs").writeFileSync("started","")'])

  expect([code, stdout, stderr.includes(words), place.has('started')]).toEqual([2, '', true, false])
})

test('a model that the config cannot mean is refused before the server is started', async () => {
  const place = new Workplace()
  place.config({ models: [{ provider: 'nobody-knows', model: 'm' }] })
  const { code, stderr } = await place.run(['wrap', '--no-desk', '--', node, '-e', 'require("fs").writeFileSync("started","")'])

  expect([code, /config\.jsonc:1:\d+ the provider "nobody-knows" is not known/.test(stderr), place.has('started')]).toEqual([2, true, false])
})

test('help tells what wrap does, and nothing is started for it', async () => {
  const { code, stdout } = await new Workplace().run(['wrap', '--help'])

  expect([code, stdout.includes('consentry wrap [options] -- COMMAND')]).toEqual([0, true])
})

test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a wrap that is ended by %s leaves no server behind', async (signal) => {
  const place = new Workplace()
  const client = RawClient.wrap(place, server({ record: join(place.folder, 'record') }))
  await client.shakeHands()
  const { start: pid } = JSON.parse(place.read('record').split('\n')[0]!) as { start: number }
  client.child.kill(signal)
  const code = await client.ended

  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
  expect(code).toBe(signal === 'SIGKILL' ? 'SIGKILL' : { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal])
})

test('a wrap that is ended in the moment in which its server was started leaves none behind', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const place = new Workplace()
    // It is there long before the rest of the wrap is, and hears nothing of its closed input.
    const client = RawClient.wrap(place, ['--no-desk', '--', 'sh', '-c', 'echo $$ > pid.new; mv pid.new pid; exec sleep 600'])
    while (!place.has('pid')) await new Promise((resolve) => setTimeout(resolve, 1))
    client.child.kill('SIGTERM')

    expect(await client.ended).toBe(143)
    await expect.poll(() => isAlive(Number(place.read('pid'))), { timeout: 10_000 }).toBe(false)
  }
})

test('a deaf server that ignores SIGTERM is gone three seconds after the client', async () => {
  const place = new Workplace()
  const client = RawClient.wrap(place, server({ deaf: true, record: join(place.folder, 'record') }))
  await client.shakeHands()
  const { start: pid } = JSON.parse(place.read('record').split('\n')[0]!) as { start: number }
  client.child.stdin!.end()

  expect([await client.ended, isAlive(pid)]).toEqual([137, false])
})

test('a log that cannot be written answers nothing and stops nothing', async () => {
  const place = new Workplace()
  place.write('state/consentry.db/a-folder', 'where the database should be')
  const client = RawClient.wrap(place, ['--answers', place.answers(who), ...server()])
  await client.shakeHands()
  client.say(call(1, 'form'), call(2, 'echo', { still: 'here' }))
  const [asked, echoed] = [await client.answerTo(1), await client.answerTo(2)]

  expect([JSON.stringify(asked.result).includes('Ada'), JSON.stringify(echoed.result)]).toEqual([false, expect.stringContaining('still')])
})
