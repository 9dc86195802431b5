// What the SDK's client takes from zod, for the program that we bundle. It describes every message of both eras, each a few hundred objects, and a command
// reads two or three kinds of them: here a schema is made when something is first read with it.
import * as zod from 'zod/v4'

/** What the SDK says of a schema while it describes it. Whatever else is asked of one makes it at once. */
const refinements: ReadonlySet<PropertyKey> = new Set([
  'optional',
  'default',
  'catch',
  'int',
  'min',
  'max',
  'extend',
  'omit',
  'loose',
  'strict',
  'strip',
  'catchall',
  'or',
  'pipe',
])

type Making<Arguments extends unknown[], Schema> = (...values: Arguments) => Schema

/** Stands in the place of an object that is made when something is asked of it. Exported for its test. */
export function deferred<Made extends object>(make: () => Made): Made {
  let made: Made | undefined
  const get = (): Made => (made ??= make())
  return new Proxy({} as Made, {
    get(_, key) {
      if (made === undefined && refinements.has(key))
        return (...values: unknown[]) => deferred(() => (Reflect.get(get(), key) as Making<unknown[], object>).apply(get(), values))
      return Reflect.get(get(), key) as unknown
    },
    has: (_, key) => Reflect.has(get(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(get()),
  })
}

function later<Arguments extends unknown[], Schema extends object>(make: Making<Arguments, Schema>): Making<Arguments, Schema> {
  return (...values) => deferred(() => make(...values))
}

export * from 'zod/v4'
export const array: typeof zod.array = later(zod.array) as typeof zod.array
export const boolean: typeof zod.boolean = later(zod.boolean)
export const discriminatedUnion: typeof zod.discriminatedUnion = later(zod.discriminatedUnion) as typeof zod.discriminatedUnion
export const intersection: typeof zod.intersection = later(zod.intersection) as typeof zod.intersection
export const literal: typeof zod.literal = later(zod.literal) as typeof zod.literal
export const looseObject: typeof zod.looseObject = later(zod.looseObject) as typeof zod.looseObject
export const number: typeof zod.number = later(zod.number)
export const object: typeof zod.object = later(zod.object) as typeof zod.object
export const optional: typeof zod.optional = later(zod.optional) as typeof zod.optional
export const record: typeof zod.record = later(zod.record) as typeof zod.record
export const string: typeof zod.string = later(zod.string) as typeof zod.string
const choice: typeof zod.enum = later(zod.enum) as typeof zod.enum
export { choice as enum }
export const union: typeof zod.union = later(zod.union) as typeof zod.union
export const unknown: typeof zod.unknown = later(zod.unknown)
