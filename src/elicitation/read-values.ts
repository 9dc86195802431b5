import { isJsonObject, type Field, type FieldFault, type FieldValue, type Form, type FormValues } from '../protocol/index.ts'
import { hasHalfCharacter } from '../protocol/json.ts'
import { checkValue, type PendingPattern } from './check-value.ts'
import { fieldFault } from './field-fault.ts'
import type { PatternMatcher, PatternVerdict } from './match-pattern.ts'

export interface ReadNeeds {
  readonly matchPattern: PatternMatcher
}

export type ReadResult = { readonly ok: true; readonly values: FormValues } | { readonly ok: false; readonly faults: readonly FieldFault[] }

/** What one field comes to, before its patterns are known. */
interface Reading {
  readonly field: Field
  readonly value?: FieldValue | undefined
  readonly fault?: FieldFault | undefined
  readonly pending: readonly PendingPattern[]
  /** A default that does not match its pattern is no default; a given value that does not match is a fault. */
  readonly isDefault: boolean
}

/**
 * The one check for what people, scripts and rules give, and for what leaves: all fields fit, or nothing is sent and every fault is named.
 *
 * Values go out exactly as given. `null` means left blank on purpose; a default is used only for a field that is left out, and only if it fits.
 * Never rejects; ends within one second whatever the form says.
 *
 * @see MCP 2025-11-25 client/elicitation "Response Actions", "Form Mode Security"
 */
export async function readValues(form: Form, content: unknown, needs: ReadNeeds): Promise<ReadResult> {
  const given = content === undefined ? {} : content
  if (!isJsonObject(given)) return { ok: false, faults: [fieldFault('', 'not-an-object', {})] }
  const names = new Set(form.fields.map(({ name }) => name))
  const strangers = Object.keys(given).filter((name) => !names.has(name) && given[name] !== undefined)
  const readings = await matchAll(
    form.fields.map((field) => read(field, Object.hasOwn(given, field.name) ? given[field.name] : undefined)),
    needs,
  )
  const faults = [...readings.flatMap(({ fault }) => fault ?? []), ...strangers.map((name) => fieldFault(name, 'not-asked', {}))]
  if (faults.length > 0) return { ok: false, faults }
  const values = Object.create(null) as Record<string, FieldValue>
  for (const { field, value } of readings) if (value !== undefined) values[field.name] = value
  return { ok: true, values }
}

/** The same check for one field, while somebody types. `undefined`: left out; `null`: left blank on purpose. */
export async function readField(field: Field, value: unknown, needs: ReadNeeds): Promise<FieldFault | undefined> {
  const [reading] = await matchAll([read(field, value)], needs)
  return reading?.fault
}

/** The form without those defaults that do not match their own pattern, so that what is shown is what would be sent. */
export async function settleDefaults(form: Form, needs: ReadNeeds): Promise<Form> {
  const readings = await matchAll(
    form.fields.map((field) => read(field, undefined)),
    needs,
  )
  if (readings.every(({ field, value }) => field.default === undefined || value !== undefined)) return form
  return { ...form, fields: readings.map(({ field, value }) => (value === undefined ? { ...field, default: undefined } : field)) }
}

function read(field: Field, given: unknown): Reading {
  const isLeftOut = given === undefined
  const value = isLeftOut ? field.default : given
  if (value === undefined || value === null) return leftOut(field)
  const half = isLeftOut ? undefined : findHalfCharacter(field, value)
  if (half !== undefined) return { field, fault: half, pending: [], isDefault: false }
  const checked = checkValue(field, value)
  if (!('fault' in checked)) return { field, value: checked.value, pending: checked.pending, isDefault: isLeftOut }
  return isLeftOut ? leftOut(field) : { field, fault: checked.fault, pending: [], isDefault: false }
}

/** What a server offers goes back as it came; what somebody types must be a text that every reader can hold. */
function findHalfCharacter(field: Field, value: unknown): FieldFault | undefined {
  const isBroken = (text: unknown): boolean => typeof text === 'string' && hasHalfCharacter(text)
  if (field.kind === 'text') return field.constant === undefined && isBroken(value) ? fieldFault(field.name, 'half-character', {}) : undefined
  const entry = field.kind === 'text-list' && Array.isArray(value) ? value.findIndex(isBroken) : -1
  return entry < 0 ? undefined : fieldFault(field.name, 'half-character', {}, entry + 1)
}

function leftOut(field: Field): Reading {
  return { field, pending: [], isDefault: false, ...(field.required && { fault: fieldFault(field.name, 'missing', {}) }) }
}

async function matchAll(readings: readonly Reading[], { matchPattern }: ReadNeeds): Promise<readonly Reading[]> {
  const checks = readings.flatMap(({ pending }) => pending)
  if (checks.length === 0) return readings
  const verdicts = await matchPattern(checks)
  let next = 0
  return readings.map((reading) => {
    const own = verdicts.slice(next, (next += reading.pending.length))
    return withVerdicts(reading, own)
  })
}

function withVerdicts(reading: Reading, verdicts: readonly PatternVerdict[]): Reading {
  const failed = verdicts.findIndex((verdict) => verdict === 'no-match' || verdict === 'timed-out')
  if (failed < 0) return reading
  if (reading.isDefault) return leftOut(reading.field)
  const problem = verdicts[failed] === 'timed-out' ? 'pattern-not-decided' : 'pattern-not-matched'
  return { ...reading, value: undefined, fault: fieldFault(reading.field.name, problem, {}, reading.pending[failed]?.entry) }
}
