import { ConsentryError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'

/** What came with a call, read member by member: nothing of it is trusted before. All throw ConsentryError `USAGE` for what is not as it should be. */
export class CallBody {
  readonly #members: Readonly<Record<string, unknown>>

  constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members
  }

  /** All of it, unread. */
  get members(): Readonly<Record<string, unknown>> {
    return this.#members
  }

  text(name: string, most = 10_000): string {
    const value = this.#get(name)
    if (typeof value !== 'string' || value.length > most) throw wrong(name, `a text of at most ${most} characters`)
    return value
  }

  optionalText(name: string, most?: number): string | undefined {
    return this.has(name) ? this.text(name, most) : undefined
  }

  flag(name: string): boolean {
    const value = this.#get(name)
    if (typeof value !== 'boolean') throw wrong(name, 'true or false')
    return value
  }

  optionalFlag(name: string): boolean | undefined {
    return this.has(name) ? this.flag(name) : undefined
  }

  /** A whole number that is not negative. */
  count(name: string): number {
    const value = this.#get(name)
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong(name, 'a whole number')
    return value
  }

  optionalCount(name: string): number | undefined {
    return this.has(name) ? this.count(name) : undefined
  }

  object(name: string): JsonObject {
    const value = this.#get(name)
    if (!isJsonObject(value)) throw wrong(name, 'an object')
    return value
  }

  /** The members of an object, to be read in the same way. */
  body(name: string): CallBody {
    return new CallBody(this.object(name))
  }

  optionalBody(name: string): CallBody {
    return this.has(name) ? this.body(name) : new CallBody({})
  }

  list(name: string, most = 1000): readonly unknown[] {
    const value = this.#get(name)
    if (!Array.isArray(value) || value.length > most) throw wrong(name, `a list of at most ${most}`)
    return value
  }

  /** A list of objects, to be read in the same way. */
  bodies(name: string, most?: number): readonly CallBody[] {
    return this.list(name, most).map((element) => {
      if (!isJsonObject(element)) throw wrong(name, 'a list of objects')
      return new CallBody(element)
    })
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const found = values.find((value) => value === this.#get(name))
    if (found === undefined) throw wrong(name, `one of ${values.join(', ')}`)
    return found
  }

  optionalOneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    return this.has(name) ? this.oneOf(name, values) : undefined
  }

  unknown(name: string): unknown {
    return this.#get(name)
  }

  /** Absent and `null` are the same here. */
  has(name: string): boolean {
    const value = this.#get(name)
    return value !== undefined && value !== null
  }

  #get(name: string): unknown {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined
  }
}

function wrong(name: string, wanted: string): ConsentryError {
  return new ConsentryError('USAGE', `"${name}" has to be ${wanted}.`)
}
