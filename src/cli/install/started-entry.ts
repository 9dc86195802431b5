import { addressBehind, readStanding } from '../../clients/index.ts'
import { programOf } from '../../clients/standing.ts'
import { defaultEnvironment, type ConnectTarget } from '../../mcp/index.ts'
import { isJsonObject, type Json } from '../../protocol/index.ts'
import { homeOf, stateFolderOf, type Place } from '../place.ts'
import { fillVariables, type VariableSources } from './fill-variables.ts'

/** An entry of a client, as that client would start or reach it. */
export type StartedEntry =
  | { readonly kind: 'ready'; readonly target: ConnectTarget }
  /** Only the client knows what stands for a variable of it. */
  | { readonly kind: 'unknown'; readonly variable: string }
  | { readonly kind: 'unfit'; readonly why: string }

export interface StartOptions {
  /** Where the client starts its servers. */
  readonly folder: string
  /** Its PATH; by default ours. */
  readonly path?: string | undefined
  /** More of our words, right behind `wrap`; what stands after it is kept from a proof. */
  readonly wrapOptions?: readonly string[] | undefined
}

/** How a client would start an entry, wrapped or not, with the few variables that servers get. No desk is started for it. */
export async function startEntry(value: Json | undefined, { folder, path, wrapOptions = ['--no-desk'] }: StartOptions, place: Place): Promise<StartedEntry> {
  const standing = readStanding(value)
  if (standing.kind === 'unfit') return standing
  const sources: VariableSources = { environment: place.environment, home: homeOf(place), folder }
  const fill = (text: string): string => {
    const filled = fillVariables(text, sources)
    if (filled === undefined) throw new UnknownVariable(/\$\{[^}]*\}/.exec(text)?.[0] ?? text)
    return filled
  }
  try {
    if (standing.kind === 'address') return { kind: 'ready', target: { kind: 'http', url: fill(standing.url), headers: fillAll(standing.headers, fill) } }
    const { command, args } = standing
    const words = [command, ...args]
    if (standing.kind === 'ours') words.splice(standing.words.programAt + 2, 0, ...wrapOptions)
    const [program, ...rest] = words.map(fill)
    const entry = isJsonObject(value) ? value : {}
    const env = { ...(await environmentFor(path, place)), ...fillAll(textsOf(programOf(entry).members['env']), fill) }
    const cwd = typeof entry['cwd'] === 'string' ? fill(entry['cwd']) : folder
    return { kind: 'ready', target: { kind: 'stdio', command: program!, args: rest, env, cwd } }
  } catch (error) {
    if (error instanceof UnknownVariable) return { kind: 'unknown', variable: error.variable }
    throw error
  }
}

/** The address that an entry leads to, wrapped or not, as its client would fill it in; undefined where it is none, or that cannot be known. */
export function addressOf(value: Json | undefined, folder: string, place: Place): Extract<ConnectTarget, { readonly kind: 'http' }> | undefined {
  const standing = readStanding(value)
  if (standing.kind !== 'address' && (standing.kind !== 'ours' || standing.words.serverAt !== undefined)) return undefined
  const environment = isJsonObject(value) && isJsonObject(value['env']) ? value['env'] : {}
  const { url, headers } = standing.kind === 'address' ? standing : addressBehind(standing.words, environment)
  const sources = { environment: place.environment, home: homeOf(place), folder }
  const filled = [url, ...Object.values(headers)].map((text) => fillVariables(text, sources))
  if (filled.includes(undefined)) return undefined
  return { kind: 'http', url: filled[0]!, headers: Object.fromEntries(Object.keys(headers).map((name, index) => [name, filled[index + 1]!])) }
}

/** What clients give their servers, and where our state is. */
export async function environmentFor(path: string | undefined, place: Place): Promise<Readonly<Record<string, string>>> {
  const usual = await defaultEnvironment()
  const others = Object.fromEntries(Object.entries(usual).filter(([name]) => path === undefined || name.toUpperCase() !== 'PATH'))
  return { ...others, ...(path !== undefined && { PATH: path }), CONSENTRY_HOME: stateFolderOf(place) }
}

class UnknownVariable extends Error {
  readonly variable: string

  constructor(variable: string) {
    super(variable)
    this.variable = variable
  }
}

function textsOf(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' || typeof text === 'number' ? [[name, String(text)]] : [])),
  )
}

function fillAll(texts: Readonly<Record<string, string>>, fill: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]))
}
