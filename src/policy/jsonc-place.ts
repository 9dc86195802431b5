import type { ConsentryError } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import type { JsoncDocument, JsoncPath } from './read-jsonc.ts'

export interface NumberBounds {
  readonly least?: number | undefined
  readonly most?: number | undefined
  readonly whole?: boolean | undefined
}

/** One value of a document that still knows where it stands, so that whoever reads it can say what is wrong with it. Every reader throws the document's code. */
export class JsoncPlace {
  readonly value: Json
  readonly #document: JsoncDocument
  readonly #path: JsoncPath

  constructor(document: JsoncDocument, value: Json = document.value, path: JsoncPath = []) {
    this.value = value
    this.#document = document
    this.#path = path
  }

  fault(message: string): ConsentryError {
    return this.#document.faultAt(this.#path, message)
  }

  /** The members by name, in the file's order. With `known`, every other key is refused; `tolerated` ones are there too, and not offered to anybody who misspells one. */
  members(known?: readonly string[], tolerated: readonly string[] = []): ReadonlyMap<string, JsoncPlace> {
    const { value } = this
    if (!isJsonObject(value)) throw this.fault(`${this.#name()} must be an object in braces`)
    const members = new Map<string, JsoncPlace>()
    for (const [key, member] of Object.entries(value)) {
      const place = new JsoncPlace(this.#document, member ?? null, [...this.#path, key])
      if (known !== undefined && !known.includes(key) && !tolerated.includes(key))
        throw place.fault(`unknown key ${JSON.stringify(key)}; known here: ${known.join(', ')}`)
      members.set(key, place)
    }
    return members
  }

  elements(): readonly JsoncPlace[] {
    if (!Array.isArray(this.value)) throw this.fault(`${this.#name()} must be a list in brackets`)
    return this.value.map((element: Json, index) => new JsoncPlace(this.#document, element, [...this.#path, index]))
  }

  object(): JsonObject {
    if (!isJsonObject(this.value)) throw this.fault(`${this.#name()} must be an object in braces`)
    return this.value
  }

  /** A text that is not empty and has no control characters and no half characters. */
  text(): string {
    const { value } = this
    if (typeof value !== 'string') throw this.fault(`${this.#name()} must be a text`)
    if (value === '') throw this.fault(`${this.#name()} must not be empty`)
    if (/[\u0000-\u001F\u007F]|[\uD800-\uDFFF]/u.test(value)) throw this.fault(`${this.#name()} must not contain control characters`)
    return value
  }

  /** Any text without NUL, also an empty one. */
  anyText(): string {
    const { value } = this
    if (typeof value !== 'string') throw this.fault(`${this.#name()} must be a text`)
    if (value.includes('\0')) throw this.fault(`${this.#name()} must not contain a NUL character`)
    return value
  }

  boolean(): boolean {
    if (typeof this.value !== 'boolean') throw this.fault(`${this.#name()} must be true or false`)
    return this.value
  }

  number({ least = -Infinity, most = Infinity, whole = false }: NumberBounds = {}): number {
    const { value } = this
    if (typeof value !== 'number') throw this.fault(`${this.#name()} must be a number`)
    if (!Number.isFinite(value)) throw this.fault(`${this.#name()} is too large a number`)
    if (whole && !Number.isSafeInteger(value)) throw this.fault(`${this.#name()} must be a whole number`)
    if (value < least) throw this.fault(`${this.#name()} must be ${least} or more`)
    if (value > most) throw this.fault(`${this.#name()} must be ${most} or less`)
    return value
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    const found = values.find((value) => value === this.value)
    if (found === undefined) throw this.fault(`${this.#name()} must be ${values.map((value) => JSON.stringify(value)).join(' or ')}`)
    return found
  }

  #name(): string {
    const last = this.#path.at(-1)
    if (last === undefined) return 'the file'
    return typeof last === 'number' ? `element ${last + 1}` : JSON.stringify(last)
  }
}
