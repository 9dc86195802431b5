import { ConsentryError } from '../errors.ts'
import type { ServerAddress } from '../gateway/index.ts'
import { expandVariables } from '../policy/expand-variables.ts'
import type { ServerIdentity, ServerTarget } from '../protocol/index.ts'
import type { Place } from './place.ts'

/** A server at an address, as rules know it. */
export interface AddressIdentity extends ServerIdentity {
  readonly target: Extract<ServerTarget, { readonly kind: 'http' }>
}

/** @throws ConsentryError `USAGE` where that is no address */
export function identifyAddress(url: string, name: string | undefined): AddressIdentity {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) throw new ConsentryError('USAGE', `--url ${JSON.stringify(url)} is no http or https address`)
  const { hostname, username, password } = new URL(url)
  // It would stand in reviews, rules and the log.
  if (username !== '' || password !== '') throw new ConsentryError('USAGE', '--url must not contain a user name or password: send them in a header')
  return { name: name ?? hostname, named: name !== undefined, target: { kind: 'http', url } }
}

const headerForm = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/
const variableForm = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=([A-Za-z_][A-Za-z0-9_]*)$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * What such a server is spoken to with. How a person signs in is loaded with it: it costs as much as the server takes to answer.
 *
 * @param given as typed: each header `Name: value`, with `${NAME}` in a value taken from the environment; each variable `Name=VARIABLE`, whose value is all that it holds
 * @throws ConsentryError `USAGE` for what is no header, `CONFIG_INVALID` for a variable that is not set
 */
export async function openAddress(
  url: string,
  { headers, headerVariables }: { readonly headers: readonly string[]; readonly headerVariables: readonly string[] },
  place: Place,
  notice: (sentence: string) => void,
): Promise<ServerAddress> {
  const { signInAt } = await import('./sign-in.ts')
  const all = [...headers.map((header) => readHeader(header, place)), ...headerVariables.map((header) => readHeaderVariable(header, place))]
  return { url, headers: Object.fromEntries(all), signIn: signInAt(url, place, { notice }) }
}

/** The value may be a secret: it is never repeated. */
function readHeader(text: string, { environment }: Place): readonly [name: string, value: string] {
  const [, name, written] = headerForm.exec(text) ?? []
  if (name === undefined) throw new ConsentryError('USAGE', "--header is 'Name: value'; a value of the environment is written ${NAME}")
  return [name, sendable(expandVariables(written!, environment, `--header ${name}`), `--header ${name}`)]
}

function readHeaderVariable(text: string, { environment }: Place): readonly [name: string, value: string] {
  const [, name, variable] = variableForm.exec(text) ?? []
  if (name === undefined) throw new ConsentryError('USAGE', '--header-env is Name=VARIABLE')
  return [name, sendable(expandVariables(`\${${variable!}}`, environment, `--header-env ${name}`), `--header-env ${name}`)]
}

function sendable(value: string, where: string): string {
  if (!headerValue.test(value)) throw new ConsentryError('USAGE', `${where}: its value cannot be sent in a header`)
  return value
}
