import { ConsentryError } from '../errors.ts'
import { isSamePlace, isWithin, nameOf, parentOf, pathOf, placeAt, placeBelow, readPlace, type Place } from '../paths/index.ts'
import type { StartCommand } from './boundary.ts'
import type { Machine } from './machine.ts'

/** Programs that run a file of the user's: that file is the server. */
const RUNTIMES = /^(?:node|nodejs|bun|deno|tsx|python[\d.]*|pypy[\d.]*|ruby|perl|php|java|sh|bash|dash|zsh|env)$/
/** What a package holds at its top. */
const PACKAGE_MARKS = ['package.json', 'pyproject.toml', 'setup.py', 'Cargo.toml', 'go.mod', 'Gemfile', 'composer.json', 'pom.xml', 'deno.json', 'pyvenv.cfg']
/** Folders below home in which programs are installed, and nothing else is. */
const MANAGERS = ['.nvm', '.fnm', '.volta', '.asdf', '.pyenv', '.rbenv', '.bun', '.deno', '.cargo/bin', '.local/bin', '.local/lib', '.npm-global']
const SHARED_MANAGERS = ['mise', 'uv', 'fnm', 'pipx', 'pnpm', 'rtx'].map((name) => `.local/share/${name}`)
/** The first line of a script: what runs it, and its first argument. */
export const SHEBANG: RegExp = /^#!\s*(\S+)(?:\s+(\S+))?/
const MOST_LINKS = 40
const MOST_SHEBANGS = 4

export interface StartupFiles {
  /** The program, found as the system would find it. */
  readonly program: string
  /** The arguments, the script of a runtime by its whole path: the server may have to start in another folder than it was named from. */
  readonly args: readonly string[]
  /** Files and folders that the server needs to start, besides those of the system. */
  readonly readable: readonly string[]
}

export interface StartupSurroundings {
  readonly home: string
  /** Folders in which a held server may have put whatever it likes: links that lie there lead nowhere. */
  readonly writable: readonly string[]
  readonly machine: Machine
}

/**
 * Finds what a server needs to start: its program with what lies around that, the script that it runs, and the package of both. Only what is named on the command line, or by
 * what is named there, is found; nothing is run.
 *
 * @throws ConsentryError `SERVER_UNREACHABLE` when there is no such program
 */
export function findStartupFiles({ command, args, env, cwd = '/' }: StartCommand, { home, writable, machine }: StartupSurroundings): StartupFiles {
  const path = env['PATH'] ?? ''
  const program = findProgram(command, path, cwd, machine)
  if (program === undefined)
    throw new ConsentryError(
      'SERVER_UNREACHABLE',
      `The command ${JSON.stringify(command)} cannot be found. Is it installed, and spelled as on the command line?`,
      {
        data: { command },
      },
    )
  const homePlace = placeAt(home, 'posix')
  const writablePlaces = writable.flatMap((folder) => placeAt(folder, 'posix') ?? [])
  const readable = new Set<string>()
  const add = (file: string, depth = 0): void => {
    const steps = stepsTo(file, writablePlaces, machine)
    for (const step of steps) for (const needed of neededAround(step, homePlace, machine)) readable.add(needed)
    const [, interpreter, argument] = (steps.length > 0 && depth < MOST_SHEBANGS && SHEBANG.exec(machine.headOf(file))) || []
    if (interpreter === undefined) return
    add(interpreter, depth + 1)
    const named = interpreter.endsWith('/env') && argument !== undefined ? findProgram(argument, path, cwd, machine) : undefined
    if (named !== undefined) add(named, depth + 1)
  }
  add(program)
  const isRuntime = RUNTIMES.test(nameOf(placeAt(program, 'posix')!))
  const at = isRuntime ? args.findIndex((argument) => !argument.startsWith('-') && machine.kindOf(absolute(argument, cwd)) === 'file') : -1
  if (at < 0) return { program, args, readable: [...readable] }
  const script = absolute(args[at]!, cwd)
  add(script, MOST_SHEBANGS)
  return { program, args: args.with(at, script), readable: [...readable] }
}

/** Finds a program as the system would, on anything but Windows. @param path as PATH is written */
export function findProgram(command: string, path: string, cwd: string, machine: Machine): string | undefined {
  const candidates = command.includes('/') ? [absolute(command, cwd)] : path.split(':').map((folder) => `${absolute(folder, cwd)}/${command}`)
  const found = candidates.find((file) => machine.kindOf(file) === 'file' && machine.isExecutable(file))
  const place = found === undefined ? undefined : placeAt(found, 'posix')
  return place && pathOf(place)
}

function absolute(path: string, cwd: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`
}

/** A file under each of the names that lead to it, walked as the system walks it. What lies where a server can write is granted already, and leads no further. */
function stepsTo(file: string, writable: readonly Place[], machine: Machine): readonly Place[] {
  const named = placeAt(file, 'posix')
  if (!named) return []
  const steps: Place[] = [named]
  let here: Place = { ...named, names: [] }
  let ahead = readNames(file)
  for (let links = 0; links <= MOST_LINKS;) {
    const [next, ...further] = ahead
    if (next === undefined) return [...steps, here]
    const at = next === '..' ? (parentOf(here) ?? here) : placeBelow(here, next)
    if (writable.some((folder) => isWithin(at, folder))) return steps.filter((step) => !writable.some((folder) => isWithin(step, folder)))
    const target = next === '..' ? undefined : machine.linkAt(pathOf(at))
    if (target === undefined) {
      here = at
      ahead = further
      continue
    }
    links += 1
    if (further.length === 0) steps.push(at)
    ahead = [...readNames(absolute(target, pathOf(here))), ...further]
    here = { ...named, names: [] }
  }
  return []
}

function readNames(path: string): readonly string[] {
  const reading = readPlace(path, 'posix')
  return reading.ok ? reading.place.names : []
}

function neededAround(file: Place, home: Place | undefined, machine: Machine): readonly string[] {
  const modules = file.names.indexOf('node_modules')
  if (modules >= 0) return [pathOf({ ...file, names: file.names.slice(0, modules + 1) })]
  const manager = home && [...MANAGERS, ...SHARED_MANAGERS].map((name) => placeBelow(home, ...name.split('/'))).find((folder) => isWithin(file, folder))
  if (manager) return [pathOf(manager)]
  const folder = parentOf(file)!
  const needed = [pathOf(file)]
  const prefix = nameOf(folder) === 'bin' ? parentOf(folder) : undefined
  // An installed program: its libraries lie beside the folder that it is in.
  if (prefix && (machine.kindOf(pathOf(placeBelow(prefix, 'lib'))) === 'folder' || machine.kindOf(pathOf(placeBelow(prefix, 'pyvenv.cfg'))) === 'file'))
    for (const name of ['bin', 'lib', 'lib64', 'libexec', 'pyvenv.cfg']) {
      const beside = pathOf(placeBelow(prefix, name))
      if (machine.kindOf(beside) !== undefined) needed.push(beside)
    }
  const owner = findPackage(folder, home, machine)
  if (owner) needed.push(pathOf(owner))
  // Dependencies of a package may lie further up.
  for (let above = owner && parentOf(owner); above && !isHomeOrAbove(above, home); above = parentOf(above)) {
    const further = pathOf(placeBelow(above, 'node_modules'))
    if (machine.kindOf(further) === 'folder') needed.push(further)
  }
  return needed
}

/** The nearest folder that calls itself a package; never a home folder, nor what lies above one. */
function findPackage(folder: Place, home: Place | undefined, machine: Machine): Place | undefined {
  if (isHomeOrAbove(folder, home)) return undefined
  if (PACKAGE_MARKS.some((mark) => machine.kindOf(pathOf(placeBelow(folder, mark))) === 'file')) return folder
  return findPackage(parentOf(folder)!, home, machine)
}

/** Folders that hold more than one thing. */
function isHomeOrAbove(place: Place, home: Place | undefined): boolean {
  return (
    place.names.length === 0 ||
    (home !== undefined && isWithin(home, place)) ||
    ['/tmp', '/var/tmp', '/usr', '/opt', '/srv'].some((shared) => isSamePlace(place, placeAt(shared, 'posix')!))
  )
}
