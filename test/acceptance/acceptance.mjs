// Runs, of an acceptance runner, what has passed once, and fails if any of it does not pass any more.
//
//   node test/acceptance/acceptance.mjs RUNNER_FOLDER [--add]
//
// The list is passed.txt beside this file: one `GROUP ID` a line (run, as-call, check). --add runs everything and adds what passes now;
// nothing is ever taken off by a program.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { add: { type: 'boolean', default: false } } })
const [folder] = positionals
if (folder === undefined) throw new Error('usage: acceptance.mjs RUNNER_FOLDER [--add]')

const listFile = join(import.meta.dirname, 'passed.txt')
const listed = new Set(readFileSync(listFile, 'utf8').split('\n').filter(Boolean))

const results = [...(await scenarios('run', [])), ...(await scenarios('as-call', ['--as', 'call'])), ...(await judged('check', ['check.mjs', '--json']))]
const passed = new Set(results.filter(({ problems }) => problems.length === 0).map(({ name }) => name))
const lost = [...listed].filter((name) => !passed.has(name))

for (const name of lost) {
  const problems = results.find((result) => result.name === name)?.problems ?? ['it was not run']
  console.log(`FAIL  ${name}: ${problems.slice(0, 3).join('; ')}`)
}
if (options.add) {
  const all = new Set([...listed, ...passed])
  writeFileSync(listFile, `${[...all].toSorted((a, b) => a.localeCompare(b, 'en')).join('\n')}\n`)
  const failed = results.filter(({ problems }) => problems.length > 0)
  for (const { name, problems } of failed) console.log(`open  ${name}: ${problems[0]}`)
  console.log(`${all.size - listed.size} added, ${failed.length} open`)
}
console.log(`acceptance: ${listed.size - lost.length} of ${listed.size} that passed once pass`)
process.exit(lost.length > 0 ? 1 : 0)

/** Only what is on the list is run, unless new passes are looked for: what is not built yet may be slow to fail. */
async function scenarios(group, args) {
  const chosen = readdirSync(join(folder, 'scenarios'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => [JSON.parse(readFileSync(join(folder, 'scenarios', name), 'utf8'))].flat())
    .filter(({ id }) => options.add || listed.has(`${group} ${id}`))
  if (chosen.length === 0) return []
  const place = mkdtempSync(join(tmpdir(), 'acceptance-'))
  try {
    writeFileSync(join(place, 'chosen.json'), JSON.stringify(chosen))
    return await judged(group, ['run.mjs', '--json', '--scenarios', place, ...args])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function judged(group, [script, ...args]) {
  const text = await outputOf([join(folder, script), ...args])
  return JSON.parse(text).results.map(({ kind, id, problem, problems = problem ? [problem] : [] }) => ({
    name: `${group} ${kind ? `${kind}/` : ''}${id}`,
    problems,
  }))
}

function outputOf(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    child.on('error', reject)
    child.on('close', () => resolve(text))
  })
}
