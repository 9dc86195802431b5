import { ConsentryError } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import type { ServerEntry } from './config.ts'
import type { EditedFile } from './edit-config.ts'
import { parseConfig } from './parse-config.ts'
import { readCodexServers } from './read-codex-servers.ts'
import { readJsonc } from './read-jsonc.ts'

/**
 * How a client writes its servers down: under which key, or in which language. `mcpServers`: Claude Desktop, Cursor, Windsurf, Gemini CLI; `servers`: VS Code;
 * `context_servers`: Zed; `claude-code`: also by project; `codex-toml`: tables `[mcp_servers.NAME]`.
 */
export type ClientFormat = 'mcpServers' | 'servers' | 'context_servers' | 'claude-code' | 'codex-toml'

/** Those that are JSON, with comments or without. */
export type JsonClientFormat = Exclude<ClientFormat, 'codex-toml'>

/** A server of another client: as an entry of ours, or why it cannot be one. */
export interface ClientServer {
  readonly name: string
  readonly entry?: ServerEntry | undefined
  readonly fault?: ConsentryError | undefined
}

/**
 * Reads the servers out of another client's config file. Everything else in it is left alone; one server that cannot be used here keeps no other back.
 *
 * @throws ConsentryError `CONFIG_INVALID` when the file cannot be understood at all
 */
export function readClientConfig(text: string, { format, ...edited }: EditedFile & { readonly format: ClientFormat }): readonly ClientServer[] {
  const servers = format === 'codex-toml' ? readCodexServers(text) : readJsonServers(readJsonc(text, edited.file, 'CONFIG_INVALID').value, format)
  return servers.map(([name, raw]) => readServer(name, raw, edited))
}

/** Where a server stands in a client's file. */
export interface ServerPlace {
  readonly name: string
  readonly path: readonly string[]
  readonly value: Json | undefined
}

/** Every server of a file, the same name once for each place where it stands. */
export function findServerPlaces(file: Json, format: JsonClientFormat): readonly ServerPlace[] {
  switch (format) {
    case 'servers':
      return [...placesAt(file, ['servers']), ...placesAt(file, ['mcp', 'servers'])]
    case 'claude-code':
      return [
        ...placesAt(file, ['mcpServers']),
        ...placesAt(file, ['projects']).flatMap(({ path, value }) => (isJsonObject(value) ? placesAt(file, [...path, 'mcpServers']) : [])),
      ]
    case 'context_servers':
    case 'mcpServers':
      return placesAt(file, [format])
    default:
      return format satisfies never
  }
}

function placesAt(file: Json, path: readonly string[]): readonly ServerPlace[] {
  const found = path.reduce<Json | undefined>((value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), file)
  return isJsonObject(found) ? Object.entries(found).map(([name, value]) => ({ name, path: [...path, name], value })) : []
}

type RawServers = readonly (readonly [name: string, raw: Json | undefined])[]

/** A name that several projects give is the server of the first. */
function readJsonServers(file: Json, format: JsonClientFormat): RawServers {
  const servers = new Map<string, Json | undefined>()
  for (const { name, value } of findServerPlaces(file, format)) if (!servers.has(name)) servers.set(name, value)
  return [...servers]
}

function readServer(name: string, raw: Json | undefined, edited: EditedFile): ClientServer {
  try {
    const entry = toOurs(raw)
    const config = parseConfig(JSON.stringify({ mcpServers: { [name]: entry } }), edited.file, edited)
    return { name, entry: config.mcpServers.get(name) }
  } catch (error) {
    if (!(error instanceof ConsentryError)) throw error
    // Where it stands in a text that we made ourselves helps nobody.
    return { name, fault: new ConsentryError('CONFIG_INVALID', error.message.replace(/^.*?:\d+:\d+ /, ''), { cause: error }) }
  }
}

/** What other clients call their members, in our words. */
function toOurs(raw: Json | undefined): JsonObject {
  if (!isJsonObject(raw)) throw new ConsentryError('CONFIG_INVALID', 'this is no server')
  const program = isJsonObject(raw['command']) ? raw['command'] : raw
  const command = isJsonObject(raw['command']) ? raw['command']['path'] : raw['command']
  const url = raw['url'] ?? raw['httpUrl'] ?? raw['serverUrl']
  if (raw['type'] === 'sse') throw new ConsentryError('CONFIG_INVALID', 'the old "sse" transport is not supported: use the server\'s streamable HTTP address')
  const disabled = raw['disabled'] === true || raw['enabled'] === false ? true : undefined
  const entry = command === undefined ? { url, headers: raw['headers'] } : { command, args: program['args'], env: program['env'], cwd: raw['cwd'] }
  return translate({ ...entry, disabled }) as JsonObject
}

/** Variables in our spelling. What only the other client can fill in is no value here. */
function translate(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') {
    const text = value.replaceAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, variable: string) => `\${${variable}}`)
    const foreign = /\$\{(?:input:|workspaceFolder|userHome|command:|file)[^}]*\}/.exec(text)
    if (foreign) throw new ConsentryError('CONFIG_INVALID', `only the other client can fill in ${foreign[0]}: add this server by hand`)
    return text
  }
  if (Array.isArray(value)) return value.map((element: Json) => translate(element) ?? null)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).flatMap(([key, member]) => {
    const translated = translate(member)
    return translated === undefined || translated === null ? [] : [[key, translated] as const]
  })
  return Object.fromEntries(members)
}
