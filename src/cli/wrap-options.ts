import { ConsentryError } from '../errors.ts'
import type { InputKind, KeptChoice } from '../protocol/index.ts'
import { inputKinds } from '../protocol/input-request.ts'
import type { TypedWishes } from './prepare-start.ts'

export interface WrapOptions {
  /** What stands after `--`: at least a program, or nothing where there is an address. */
  readonly command: readonly string[]
  readonly url?: string | undefined
  /** `--header`, as typed. */
  readonly headers: readonly string[]
  /** `--header-env`, as typed. */
  readonly headerVariables: readonly string[]
  /** Folders that the server's programs are looked for in besides PATH. */
  readonly path?: string | undefined
  readonly name?: string | undefined
  readonly roots: readonly string[]
  readonly take: ReadonlySet<InputKind>
  readonly pass: ReadonlySet<InputKind>
  readonly answers?: string | undefined
  /** No desk is started or contacted: only folders, rules and scripts answer. */
  readonly noDesk?: boolean | undefined
  /** What is done about a server that goes on in folders that were taken from it; nobody is asked then. */
  readonly keptFolders?: KeptChoice | undefined
  readonly record?: string | undefined
  readonly maxLineBytes?: number | undefined
  /** `--read-root`; they stand in `roots` too. */
  readonly readRoots: readonly string[]
  readonly start: TypedWishes
}

export const wrapHelp: string = `Usage: consentry wrap [options] -- COMMAND [ARG ...]
       consentry wrap [options] --url URL

Stands between an MCP client and a server: what the client cannot be asked (folders, forms and pages, completions) is answered here.

Options:
  --url <url>        a server at an address, where it wants that with a sign-in
  --header <header>  sent to that address: 'Name: value', with \${NAME} for a variable of the environment; repeatable
  --header-env <name=variable>  the same, with all of a variable of the environment as its value; repeatable
  --path <folders>   where the server and its programs are looked for besides PATH, written as PATH is
  --name <name>      the server's name in reviews, rules and the audit log
  --root <path>      a folder or file this server may be told about; repeatable
  --read-root <path> the same, for a held server to read only; repeatable
  --sandbox <what>   hold the server to its roots by the operating system: roots, or roots,offline
  --sandbox-read <path>  more that a held server may read; repeatable
  --roots-to <how>   for servers that do not ask for roots: arguments, or env:NAME
  --take <list>      answer these here even if the client could: roots,elicitation,sampling
  --pass <list>      leave these to the client
  --answers <file>   answer from a script instead of a person
  --no-desk          start and contact no desk: only folders and rules answer
  --kept-folders <what>  of a server that goes on in folders which were taken from it, without a question:
                     stand-in (tell it an empty one), restart (start it afresh) or leave
  --record <file>    write every answer of this run as an answers file
  --max-message <MB> a longer message ends the connection (default: 64)
  -h, --help         show this help
`

/**
 * Reads the command line of `wrap` by hand: it stands in front of every server, and a parser costs more than the rest of the start.
 *
 * @returns undefined where help is asked for
 * @throws ConsentryError `USAGE`
 */
export function readWrapOptions(argv: readonly string[]): WrapOptions | undefined {
  const dashes = argv.indexOf('--')
  const own = dashes < 0 ? argv : argv.slice(0, dashes)
  const command = dashes < 0 ? [] : argv.slice(dashes + 1)
  const given = new Map<string, string[]>()
  for (let index = 0; index < own.length; index += 1) {
    const [option, inline] = splitAtEquals(own[index]!)
    if (option === '--help' || option === '-h') return undefined
    if (!option.startsWith('-')) throw new ConsentryError('USAGE', `the command of the server stands after --: consentry wrap [options] -- ${option} ...`)
    if (!known.has(option)) throw new ConsentryError('USAGE', `wrap does not know ${JSON.stringify(option)} (consentry wrap --help)`)
    if (option === '--no-desk' && inline === undefined) {
      given.set(option, [])
      continue
    }
    const value = inline ?? own[(index += 1)]
    if (value === undefined) throw new ConsentryError('USAGE', `${option} needs a value`)
    given.set(option, [...(given.get(option) ?? []), value])
  }
  checkServer(command, given)
  if (given.get('--name')?.includes('')) throw new ConsentryError('USAGE', '--name needs a name')
  const last = (option: string): string | undefined => given.get(option)?.at(-1)
  const readRoots = given.get('--read-root') ?? []
  const [take, pass] = [readKinds('--take', given), readKinds('--pass', given)]
  const both = [...take].find((kind) => pass.has(kind))
  if (both !== undefined) throw new ConsentryError('USAGE', `${both} stands in --take and in --pass: it can only be answered in one place`)
  return {
    command,
    url: last('--url'),
    headers: given.get('--header') ?? [],
    headerVariables: given.get('--header-env') ?? [],
    path: last('--path'),
    name: last('--name'),
    roots: [...(given.get('--root') ?? []), ...readRoots],
    readRoots,
    start: { sandbox: last('--sandbox'), sandboxRead: given.get('--sandbox-read') ?? [], rootsTo: last('--roots-to') },
    take,
    pass,
    answers: last('--answers'),
    noDesk: given.has('--no-desk'),
    keptFolders: readKept(given),
    record: last('--record'),
    maxLineBytes: readMegabytes(last('--max-message')),
  }
}

const known: ReadonlySet<string> = new Set([
  '--url',
  '--header',
  '--header-env',
  '--path',
  '--name',
  '--root',
  '--read-root',
  '--sandbox',
  '--sandbox-read',
  '--roots-to',
  '--take',
  '--pass',
  '--answers',
  '--no-desk',
  '--kept-folders',
  '--record',
  '--max-message',
  // What an entry had before install came: for uninstall, not for us.
  '--was',
])

/** What only a process can be. */
const forCommands = ['--path', '--read-root', '--sandbox', '--sandbox-read', '--roots-to']

function checkServer(command: readonly string[], given: ReadonlyMap<string, readonly string[]>): void {
  const url = given.get('--url')
  if (url === undefined && (command[0] === undefined || command[0] === ''))
    throw new ConsentryError('USAGE', 'wrap needs the command of a server, or its address: consentry wrap [options] -- COMMAND [ARG ...], or --url URL')
  for (const option of ['--header', '--header-env']) if (url === undefined && given.has(option)) throw new ConsentryError('USAGE', `${option} goes with --url`)
  if (url === undefined) return
  if (url.length > 1 || command.length > 0) throw new ConsentryError('USAGE', 'wrap stands in front of one server: its address or its command')
  const wrong = forCommands.find((option) => given.has(option))
  if (wrong !== undefined) throw new ConsentryError('USAGE', `${wrong} is for servers that are started here, not for an address`)
}

function splitAtEquals(word: string): readonly [option: string, value: string | undefined] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)]
}

function readKinds(option: string, given: ReadonlyMap<string, readonly string[]>): ReadonlySet<InputKind> {
  const words = (given.get(option) ?? []).flatMap((list) => list.split(',')).map((word) => word.trim())
  return new Set(
    words.map((word) => {
      const kind = inputKinds.find((one) => one === word)
      if (kind === undefined) throw new ConsentryError('USAGE', `${option} does not know ${JSON.stringify(word)}; it knows: ${inputKinds.join(', ')}`)
      return kind
    }),
  )
}

const keptChoices: readonly KeptChoice[] = ['stand-in', 'restart', 'leave']

function readKept(given: ReadonlyMap<string, readonly string[]>): KeptChoice | undefined {
  const text = given.get('--kept-folders')?.at(-1)
  if (text === undefined) return undefined
  const choice = keptChoices.find((one) => one === text)
  if (choice === undefined) throw new ConsentryError('USAGE', `--kept-folders is ${keptChoices.join(', ')}`)
  if (choice === 'restart' && given.has('--url')) throw new ConsentryError('USAGE', 'a server at an address cannot be started afresh from here')
  return choice
}

const megabyte = 1024 * 1024
/** What one piece of memory can hold, and be read as text. */
const mostMegabytes = 500

function readMegabytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < 1 || number > mostMegabytes)
    throw new ConsentryError('USAGE', `--max-message is a whole number of megabytes, from 1 to ${mostMegabytes}`)
  return number * megabyte
}
