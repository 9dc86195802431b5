import type { ConfigPlace, ServerEntry } from './config.ts'
import type { JsoncPlace } from './jsonc-place.ts'
import { expandHome, resolveBelow } from './user-path.ts'

const keys = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'disabled']
const stdioKeys = ['command', 'args', 'env', 'cwd']
const httpKeys = ['url', 'headers']

/** Reads one entry of `mcpServers`, as other hosts write them: a command to start, or a URL to speak to. */
export function readServerEntry(place: JsoncPlace, config: ConfigPlace): ServerEntry {
  const members = place.members(keys)
  const command = members.get('command')
  const url = members.get('url')
  const type = members.get('type')
  if (type?.value === 'sse') throw type.fault('the old "sse" transport is not supported: use the server\'s streamable HTTP address')
  const transport = type?.oneOf(['stdio', 'http', 'streamable-http'])
  if ((command === undefined) === (url === undefined)) throw place.fault('a server needs either a "command" or a "url"')
  if (type !== undefined && (transport === 'stdio') !== (command !== undefined)) throw type.fault('"type" does not fit the other keys')
  for (const key of command === undefined ? stdioKeys : httpKeys) {
    const stray = members.get(key)
    if (stray !== undefined) throw stray.fault(`"${key}" is not for servers that have a "${command === undefined ? 'url' : 'command'}"`)
  }
  const disabled = members.get('disabled')?.boolean() ?? false
  if (url !== undefined) return { kind: 'http', url: readWebAddress(url), headers: readHeaders(members.get('headers')), disabled }
  const cwd = members.get('cwd')
  const { home, directory, platform } = config
  return {
    kind: 'stdio',
    command: command?.text() ?? '',
    args:
      members
        .get('args')
        ?.elements()
        .map((argument) => argument.anyText()) ?? [],
    env: readEnvironment(members.get('env')),
    cwd: cwd && resolveBelow(directory, expandHome(cwd.text(), home, platform), platform),
    disabled,
  }
}

/** Reads an absolute http or https address, and keeps it as it is written. */
export function readWebAddress(place: JsoncPlace): string {
  const text = place.text()
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:\/\//i.test(text)) throw place.fault('must be an address that begins with https:// or http://')
  if (url.username !== '' || url.password !== '') throw place.fault('must not contain a user name or password: use "headers" with ${NAME}')
  return text
}

function readEnvironment(place: JsoncPlace | undefined): Readonly<Record<string, string>> {
  const environment = Object.create(null) as Record<string, string>
  for (const [name, value] of place?.members() ?? []) {
    if (name === '' || /[=\0]/.test(name)) throw value.fault('this is not the name of an environment variable')
    environment[name] = value.anyText()
  }
  return environment
}

function readHeaders(place: JsoncPlace | undefined): Readonly<Record<string, string>> {
  const headers = Object.create(null) as Record<string, string>
  for (const [name, value] of place?.members() ?? []) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw value.fault('this is not the name of an HTTP header')
    headers[name] = value.anyText()
    if (/[\r\n]/.test(headers[name])) throw value.fault('a header must not contain line breaks')
  }
  return headers
}
