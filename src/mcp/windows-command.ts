/** What Windows is given to start. */
export interface CommandLine {
  readonly command: string
  readonly args: readonly string[]
  /** The arguments are quoted already. */
  readonly verbatim: boolean
}

export interface WindowsLookup {
  /** The server's own environment: its PATH, PATHEXT and ComSpec count. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  readonly exists: (path: string) => boolean
}

/**
 * Finds out how Windows starts a command: programs directly, `.cmd` and `.bat` (what `npx` and `uvx` really are) through cmd.exe with every
 * character quoted, so that no argument can become a command of its own.
 */
export function windowsCommand(command: string, args: readonly string[], lookup: WindowsLookup): CommandLine {
  const found = findProgram(command, lookup)
  if (!/\.(cmd|bat)$/i.test(found)) return { command: found, args, verbatim: false }
  // A shim hands its arguments to cmd.exe a second time, so that they are escaped twice.
  const line = [escapeForShell(quote(found)), ...args.map((argument) => escapeForShell(escapeForShell(quote(argument))))].join(' ')
  return { command: variable(lookup.env, 'ComSpec') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

/** Finds a program as Windows would; the command itself where there is none. */
export function findProgram(command: string, { env, cwd, exists }: WindowsLookup): string {
  const extensions = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  const names = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()))
    ? [command]
    : extensions.map((extension) => `${command}${extension.toLowerCase()}`)
  if (/[\\/:]/.test(command)) return names.find((name) => exists(name)) ?? command
  const places = [...(cwd === undefined ? [] : [cwd]), ...(variable(env, 'PATH') ?? '').split(';').filter(Boolean)]
  return places.flatMap((place) => names.map((name) => `${place.replace(/[\\/]$/, '')}\\${name}`)).find((path) => exists(path)) ?? command
}

/** Variable names know no case on Windows. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
}

/** As a program's own reading of its command line undoes it: backslashes count only before a quotation mark. */
function quote(argument: string): string {
  return `"${argument.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/(\\+)$/, '$1$1')}"`
}

/** As cmd.exe undoes it. */
function escapeForShell(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&')
}
