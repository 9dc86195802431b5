import { ConsentryError } from '../errors.ts'
import type { Json, JsonObject } from '../protocol/index.ts'

type Table = Record<string, Json>

const KEY = /\s*(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)"|'([^']*)')\s*/y
const MOST_CHARACTERS = 1_000_000

/**
 * Reads the tables `[mcp_servers.NAME]` of a `config.toml`: texts, lists of texts, numbers, yes and no, and tables in braces. All other tables are passed over.
 *
 * @throws ConsentryError `CONFIG_INVALID` with the line, where one of these tables cannot be read
 */
export function readCodexServers(text: string): readonly (readonly [string, JsonObject])[] {
  if (text.length > MOST_CHARACTERS) throw new ConsentryError('CONFIG_INVALID', 'this file is too large')
  const servers = new Map<string, Table>()
  const reader = new TomlReader(text)
  let table: Table | undefined
  while (reader.skipToStatement()) {
    if (reader.takes('[')) {
      const isList = reader.takes('[')
      const path = reader.keys()
      table = isList || path[0] !== 'mcp_servers' || path.length < 2 ? undefined : tableAt(servers, path.slice(1))
      reader.restOfLine()
    } else if (table === undefined) {
      reader.skipStatement()
    } else {
      const path = reader.keys()
      reader.expect('=')
      const target = path.slice(0, -1).reduce(inner, table)
      target[path.at(-1)!] = reader.value()
    }
  }
  return Array.from(servers, ([name, members]) => [name, toEntry(members)])
}

function tableAt(servers: Map<string, Table>, [name, ...path]: readonly string[]): Table {
  const server = servers.get(name!) ?? (Object.create(null) as Table)
  servers.set(name!, server)
  return path.reduce(inner, server)
}

function inner(table: Table, key: string): Table {
  const found = table[key]
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found as Table
  const made = Object.create(null) as Table
  table[key] = made
  return made
}

/** Codex names a variable that holds the token; we write a reference to it. */
function toEntry({ bearer_token_env_var: variable, http_headers: headers, env_http_headers: named, ...entry }: Table): JsonObject {
  if (entry['url'] === undefined) return entry
  const references = Object.entries((named ?? {}) as Table).flatMap(([header, name]) => (typeof name === 'string' ? [[header, `\${${name}}`]] : []))
  const token = typeof variable === 'string' ? { Authorization: `Bearer \${${variable}}` } : {}
  return { ...entry, headers: { ...token, ...(headers as JsonObject | undefined), ...Object.fromEntries(references) } }
}

class TomlReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Goes to the next thing that is no blank and no comment. @returns false at the end */
  skipToStatement(): boolean {
    const blank = /(?:\s|#[^\n]*)*/y
    blank.lastIndex = this.#at
    blank.exec(this.#text)
    this.#at = blank.lastIndex
    return this.#at < this.#text.length
  }

  takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  expect(character: string): void {
    if (!this.takes(character)) throw this.#fault(`"${character}" is missing`)
  }

  keys(): readonly string[] {
    const keys: string[] = []
    do {
      KEY.lastIndex = this.#at
      const match = KEY.exec(this.#text)
      if (match === null) throw this.#fault('a name is missing')
      this.#at = KEY.lastIndex
      keys.push(match[1] ?? (match[2] === undefined ? match[3]! : this.#unescape(match[2])))
    } while (this.takes('.'))
    return keys
  }

  restOfLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  /** Passes over one assignment, however many lines its value takes. */
  skipStatement(): void {
    this.keys()
    this.expect('=')
    this.value()
  }

  value(depth = 0): Json {
    if (depth > 20) throw this.#fault('this is nested too deep')
    const blank = /[ \t]*/y
    blank.lastIndex = this.#at
    blank.exec(this.#text)
    this.#at = blank.lastIndex
    const rest = this.#text.slice(this.#at, this.#at + 3)
    if (rest === '"""' || rest === "'''") return this.#longText(rest)
    if (this.takes('"')) return this.#quoted('"')
    if (this.takes("'")) return this.#quoted("'")
    if (this.takes('[')) return this.#list(depth)
    if (this.takes('{')) return this.#table(depth)
    const plain = /[^\s,\]}#]+/y
    plain.lastIndex = this.#at
    const word = plain.exec(this.#text)?.[0]
    if (word === undefined) throw this.#fault('a value is missing')
    this.#at = plain.lastIndex
    if (word === 'true' || word === 'false') return word === 'true'
    const number = Number(word.replaceAll('_', ''))
    return Number.isNaN(number) ? word : number
  }

  #list(depth: number): Json {
    const list: Json[] = []
    while (this.skipToStatement()) {
      if (this.takes(']')) return list
      list.push(this.value(depth + 1))
      this.skipToStatement()
      if (!this.takes(',') && this.#text[this.#at] !== ']') break
    }
    throw this.#fault('a list has no end')
  }

  #table(depth: number): Json {
    const table = Object.create(null) as Table
    while (this.skipToStatement()) {
      if (this.takes('}')) return table
      const path = this.keys()
      this.expect('=')
      path.slice(0, -1).reduce(inner, table)[path.at(-1)!] = this.value(depth + 1)
      this.skipToStatement()
      if (!this.takes(',') && this.#text[this.#at] !== '}') break
    }
    throw this.#fault('a table has no end')
  }

  #quoted(quote: '"' | "'"): string {
    const end = quote === '"' ? /(?:[^"\\\n]|\\.)*"/y : /[^'\n]*'/y
    end.lastIndex = this.#at
    const match = end.exec(this.#text)
    if (match === null) throw this.#fault('a text has no end')
    this.#at = end.lastIndex
    const inside = match[0].slice(0, -1)
    return quote === '"' ? this.#unescape(inside) : inside
  }

  #longText(quote: string): string {
    const end = this.#text.indexOf(quote, this.#at + 3)
    if (end < 0) throw this.#fault('a text has no end')
    const inside = this.#text.slice(this.#at + 3, end).replace(/^\r?\n/, '')
    this.#at = end + 3
    return quote === '"""' ? this.#unescape(inside.replaceAll(/\\\r?\n\s*/g, '')) : inside
  }

  #unescape(text: string): string {
    const known: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' }
    return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs, (_, short?: string, long?: string, one?: string) => {
      const code = short ?? long
      if (code === undefined) return known[one!] ?? one!
      const point = Number.parseInt(code, 16)
      if (point > 0x10ffff) throw this.#fault('this is no character')
      return String.fromCodePoint(point)
    })
  }

  #fault(problem: string): ConsentryError {
    const line = this.#text.slice(0, this.#at).split('\n').length
    return new ConsentryError('CONFIG_INVALID', `line ${line}: ${problem}`, { data: { line } })
  }
}
