import type { ConfigPlace, ServerEntry } from './config.ts'
import { foreignKeyNames, notesOnKeys } from './foreign-keys.ts'
import type { JsoncPlace } from './jsonc-place.ts'
import { readRootsTo, readSandboxWish, rootsToForms, sandboxForms, type StartWishes } from './start-wishes.ts'
import { expandHome, resolveBelow } from './user-path.ts'

/** Spellings of other programs for `url`. */
const addressKeys = ['url', 'serverUrl', 'httpUrl']
const stdioKeys = ['command', 'args', 'env', 'cwd', 'sandbox', 'sandboxRead', 'rootsTo']
const httpKeys = [...addressKeys, 'headers']
const keys = ['type', ...stdioKeys, ...httpKeys, 'disabled', 'enabled']
const transports: Readonly<Record<string, ServerEntry['kind']>> = {
  http: 'http',
  local: 'stdio',
  stdio: 'stdio',
  streamableHttp: 'http',
  'streamable-http': 'http',
}

/** Reads one entry of `mcpServers`, as other hosts write them: a command to start, or a URL to speak to. */
export function readServerEntry(place: JsoncPlace, config: ConfigPlace): ServerEntry {
  const members = place.members(keys, foreignKeyNames)
  const command = members.get('command')
  const addresses = addressKeys.flatMap((key) => members.get(key) ?? [])
  const [url] = addresses
  if ((command === undefined) === (url === undefined)) throw place.fault('a server needs either a "command" or a "url"')
  if (addresses[1] !== undefined) throw addresses[1].fault('a server has one address: take the other one out')
  const kind = command === undefined ? 'http' : 'stdio'
  checkType(members.get('type'), kind)
  for (const key of kind === 'http' ? stdioKeys : httpKeys) {
    const stray = members.get(key)
    if (stray !== undefined) throw stray.fault(`"${key}" is not for servers that have a "${kind === 'http' ? 'url' : 'command'}"`)
  }
  const notes = notesOnKeys(members.keys())
  const common = {
    disabled: members.get('disabled')?.boolean() === true || members.get('enabled')?.boolean() === false,
    ...(notes.length > 0 && { notes }),
  }
  if (url !== undefined) return { kind: 'http', url: readWebAddress(url), headers: readHeaders(members.get('headers')), ...common }
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
    ...readStartWishes(members, config),
    ...common,
  }
}

/** How it is started, where that is not just by its command. */
function readStartWishes(members: ReadonlyMap<string, JsoncPlace>, { home, directory, platform }: ConfigPlace): { readonly wishes?: StartWishes } {
  const [sandbox, more, rootsTo] = ['sandbox', 'sandboxRead', 'rootsTo'].map((key) => members.get(key))
  if (more !== undefined && sandbox === undefined) throw more.fault('"sandboxRead" means something only beside "sandbox"')
  if (sandbox === undefined && rootsTo === undefined) return {}
  return {
    wishes: {
      sandbox: sandbox && (readSandboxWish(sandbox.text()) ?? fail(sandbox, sandboxForms)),
      sandboxRead: more?.elements().map((path) => resolveBelow(directory, expandHome(path.text(), home, platform), platform)),
      rootsTo: rootsTo && (readRootsTo(rootsTo.text()) ?? fail(rootsTo, rootsToForms)),
    },
  }
}

function fail(place: JsoncPlace, forms: string): never {
  throw place.fault(`must be ${forms}`)
}

function checkType(type: JsoncPlace | undefined, kind: ServerEntry['kind']): void {
  if (type === undefined) return
  if (type.value === 'sse') throw type.fault('the old "sse" transport is not supported: use the server\'s streamable HTTP address')
  const transport = transports[type.oneOf(Object.keys(transports))]
  if (transport !== kind) throw type.fault('"type" does not fit the other keys')
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
