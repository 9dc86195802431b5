// Forms: compiling a schema, checking what somebody filled in, and what a hostile server can cost.
import { fingerprintOf, matchPattern, parseForm, readValues } from '../dist/lib/elicitation.js'
import { median, verdict } from './report.mjs'

export async function measureForms() {
  return [measureCompiling(20, 1), measureCompiling(500, 25), await measureChecking(), measureLargeSchemas(), await measureHostilePattern()].every(Boolean)
}

function measureCompiling(count, limit) {
  const text = JSON.stringify(schemaOf(count))
  const times = timesOf(() => fingerprintOf(parseForm(JSON.parse(text))), Math.max(41, 8000 / count))
  return verdict(`parsing and compiling ${count} fields, fingerprint included`, `${median(times).toFixed(2)} ms (limit ${limit} ms)`, median(times) <= limit)
}

async function measureChecking() {
  const form = parseForm(schemaOf(20))
  const content = Object.fromEntries(form.fields.map(({ name, kind }, index) => [name, valueOf(kind, index)]))
  const times = []
  for (let round = 0; round < 201; round += 1) {
    const start = performance.now()
    const { ok } = await readValues(form, content, { matchPattern })
    times.push(performance.now() - start)
    if (!ok) return verdict('checking 20 values', 'they do not fit', false)
  }
  return verdict('checking 20 values', `${median(times).toFixed(3)} ms (limit 0.2 ms)`, median(times) <= 0.2)
}

/** A megabyte in every place that a server can put it: what is refused has to be refused as fast. */
function measureLargeSchemas() {
  const megabyte = 'x'.repeat(1024 * 1024)
  const schemas = {
    'one long description': { type: 'object', properties: { a: { type: 'string', description: megabyte } } },
    'one long name': { type: 'object', properties: { [megabyte]: { type: 'string' } } },
    'one long pattern': { type: 'object', properties: { a: { type: 'string', pattern: megabyte } } },
    'many choices': { type: 'object', properties: { a: { type: 'string', enum: Array.from({ length: 90_000 }, (_, index) => `choice ${index}`) } } },
    'many fields': schemaOf(9000),
    'many keys that mean nothing': {
      type: 'object',
      properties: { a: { type: 'string' } },
      ...Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`x-${index}`, index])),
    },
    'deep nesting': { type: 'object', properties: { a: { type: 'string' } }, 'x-deep': JSON.parse('['.repeat(4000) + ']'.repeat(4000)) },
  }
  const slowest = Object.entries(schemas).map(([name, schema]) => ({ name, ms: median(timesOf(() => compile(schema), 5)) }))
  const { name, ms } = slowest.toSorted((one, other) => other.ms - one.ms)[0]
  return verdict(`a schema of 1 MB, the slowest of ${slowest.length} (${name})`, `${ms.toFixed(1)} ms (limit 50 ms)`, ms <= 50)
}

/** How long everything else stands still while a pattern is tried that never ends; what else runs here can only add to it, so that the quickest round counts. */
async function measureHostilePattern() {
  const form = parseForm({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } })
  const blocks = []
  for (let round = 0; round < 5; round += 1) {
    let longest = 0
    let before = performance.now()
    const beat = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - before)
      before = now
    }, 1)
    await readValues(form, { a: `${'a'.repeat(40)}!` }, { matchPattern })
    longest = Math.max(longest, performance.now() - before)
    clearInterval(beat)
    blocks.push(longest)
  }
  return verdict('a hostile pattern keeps everything else waiting', `${Math.min(...blocks).toFixed(1)} ms (limit 50 ms)`, Math.min(...blocks) <= 50)
}

function compile(schema) {
  try {
    fingerprintOf(parseForm(schema))
  } catch (error) {
    if (error.code !== 'FORM_SCHEMA_INVALID') throw error
  }
}

/** Milliseconds of the processor, so that what else runs here does not count; the first rounds, in which code is still compiled, neither. */
function timesOf(action, rounds = 41) {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage()
    action()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return times.slice(Math.floor(rounds / 2))
}

function schemaOf(count) {
  const kinds = [
    { type: 'string', title: 'Where to', description: 'The city that the trip goes to', minLength: 1, maxLength: 80 },
    { type: 'string', format: 'email' },
    { type: 'string', format: 'date' },
    { type: 'integer', minimum: 1, maximum: 500, default: 3 },
    { type: 'boolean', default: false },
    { type: 'string', enum: ['window', 'aisle', 'middle'] },
    {
      type: 'array',
      items: {
        anyOf: [
          { const: 'a', title: 'Breakfast' },
          { const: 'b', title: 'Dinner' },
        ],
      },
      maxItems: 2,
    },
  ]
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, kinds[index % kinds.length]])),
    required: ['field0'],
  }
}

function valueOf(kind, index) {
  if (kind === 'integer') return 7
  if (kind === 'boolean') return true
  if (kind === 'choice') return 'aisle'
  if (kind === 'multiple-choice') return ['b']
  return ['Barcelona', 'ada@example.com', '2026-12-01'][index % 7]
}
