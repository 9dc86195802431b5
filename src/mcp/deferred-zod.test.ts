import { expect, test } from 'vitest'
import * as zod from 'zod/v4'
import { deferred, type array } from './deferred-zod.ts'
import * as later from './deferred-zod.ts'

/** What an SDK would describe, with either. */
function describeWith(z: typeof zod | typeof later): { readonly name: string; readonly schema: zod.ZodType }[] {
  const token = z.union([z.string(), z.number().int()])
  const meta = z.looseObject({ progressToken: token.optional() })
  const base = z.object({ _meta: meta.optional() })
  const size: Parameters<typeof array>[0] = z.enum(['small', 'large'])
  return [
    { name: 'base', schema: base },
    { name: 'extended', schema: base.extend({ id: token, sizes: z.array(size).default([]) }) },
    { name: 'loose', schema: base.loose() },
    { name: 'strict', schema: z.object({ ...base.shape, kind: z.literal('a') }).strict() },
    {
      name: 'either',
      schema: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b'), list: z.record(z.string(), z.unknown()) })]),
    },
    { name: 'both', schema: z.intersection(base, z.looseObject({ ok: z.boolean().catch(false) })) },
  ]
}

const values: readonly unknown[] = [
  {},
  null,
  'text',
  { _meta: { progressToken: 1, other: true }, extra: 1 },
  { _meta: { progressToken: 1.5 } },
  { _meta: [], id: 'x' },
  { id: 7, sizes: ['small', 'huge'] },
  { id: 7, sizes: ['large'] },
  { kind: 'a' },
  { kind: 'b', list: { one: [] } },
  { kind: 'c' },
  { ok: 'yes', more: null },
]

test('what is described late reads every value as what is described at once', () => {
  const read = ({ schema }: { readonly schema: zod.ZodType }): unknown[] => values.map((value) => JSON.stringify(schema.safeParse(value)))

  expect(describeWith(later).map(read)).toEqual(describeWith(zod).map(read))
})

test('a schema that was described late is one of zod, and says what it is made of', () => {
  const schema = later.object({ name: later.string() }).optional()

  expect([schema instanceof zod.ZodOptional, '_zod' in schema, Object.keys(schema.unwrap().shape)]).toEqual([true, true, ['name']])
})

test('nothing is made before it is read with, and then once', () => {
  let made = 0
  const schema = deferred(() => {
    made += 1
    return zod.object({})
  })
  const optional = schema.optional()
  const before = made
  optional.parse({})
  schema.parse({})
  schema.parse({})

  expect([before, made]).toEqual([0, 1])
})
