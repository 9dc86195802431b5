/** The lists of texts in one TOML table, by key. */
export type TomlLists = ReadonlyMap<string, readonly string[]>

/** No part of it can match at one place in two ways, so that no text makes it slow. */
const TOKEN = /#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[[\]{}\n]|[^#"'[\]{}\n]+|["']/g
const TEXT = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/g

/**
 * Scans a TOML text for the lists that one table (`tool.uv.workspace`) holds under some keys, by its lines; nothing is evaluated.
 * Undefined where the table is not there.
 */
export function scanTomlTable(text: string, table: string, keys: readonly string[]): TomlLists | undefined {
  const lists = new Map<string, readonly string[]>()
  let isThere = false
  let current = ''
  for (const line of statementsIn(text)) {
    if (line.startsWith('[')) {
      current = dotted(line.slice(1, -1))
      isThere ||= isAtOrBelow(current, table)
      continue
    }
    const equals = line.indexOf('=')
    if (equals < 0) continue
    const key = dotted(`${current}.${line.slice(0, equals)}`)
    const value = line.slice(equals + 1).trim()
    isThere ||= isAtOrBelow(key, table)
    for (const wanted of keys) {
      const list = key === table ? inlineList(value, wanted) : key === `${table}.${wanted}` && value.startsWith('[') ? value : undefined
      if (list !== undefined) lists.set(wanted, textsIn(list))
    }
  }
  return isThere ? lists : undefined
}

/** One header or assignment each, without comments, however many lines it takes. */
function statementsIn(text: string): readonly string[] {
  const statements: string[] = []
  let statement = ''
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    if (token === '\n' && depth === 0) {
      statements.push(statement.trim())
      statement = ''
      continue
    }
    if (token === '[' || token === '{') depth += 1
    if (token === ']' || token === '}') depth = Math.max(0, depth - 1)
    statement += token
  }
  return [...statements, statement.trim()]
}

/** The list under a key of an inline table: `{ members = ["a"] }`. */
function inlineList(value: string, key: string): string | undefined {
  return new RegExp(`[{,]\\s*${key}\\s*=\\s*(\\[[^[\\]]*\\])`).exec(value)?.[1]
}

function isAtOrBelow(key: string, table: string): boolean {
  return key === table || key.startsWith(`${table}.`)
}

function dotted(key: string): string {
  return key
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/s, '$2'))
    .filter((part) => part !== '')
    .join('.')
}

function textsIn(list: string): readonly string[] {
  return Array.from(list.matchAll(TEXT), ([, basic, literal]) => literal ?? basic!.replaceAll(/\\(.)/g, '$1'))
}
