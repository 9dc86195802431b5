import { ConsentryError } from '../errors.ts'

/** What of a command matters where it cannot be started. */
export interface Unstartable {
  readonly command: string
  readonly cwd?: string | undefined
}

/** Why a command cannot be started, and what to do: the system says the same of a program that is not there, and of a folder to start it in. */
export function unstartable({ command, cwd }: Unstartable, cause: Error, exists: (path: string) => boolean): ConsentryError {
  const hint = cwd !== undefined && !exists(cwd) ? `There is no folder ${cwd} to start it in.` : 'Is it installed, and spelled as on the command line?'
  const why = (cause as { code?: string }).code ?? cause.message
  return new ConsentryError('SERVER_UNREACHABLE', `The command ${JSON.stringify(command)} cannot be started (${why}). ${hint}`, { cause, data: { command } })
}
