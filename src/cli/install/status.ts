import { clientInfo } from '../client-info.ts'
import { exitCodes, type ExitCode } from '../exit.ts'
import type { Place } from '../place.ts'
import { safeText } from '../terminal/safe-text.ts'
import { jsonLine } from '../write-out.ts'
import type { FileChoice } from './find-files.ts'
import { lookAtClients, type ClientServerRow, type WrappedBy } from './look-at-clients.ts'

export interface StatusOptions extends FileChoice {
  readonly json?: boolean | undefined
}

/** `consentry status`: which config files of which clients there are, which servers in them lead through us, and through which program. */
export async function runStatus(options: StatusOptions, place: Place): Promise<ExitCode> {
  const rows = await lookAtClients(options, place)
  if (options.json) {
    const files = rows.map(({ client, file, exists, fault, servers }) => ({
      client,
      file,
      exists,
      ...(fault && { fault: fault.message }),
      servers: servers.map(({ name, project, isDisabled, by, unfit }) => ({ name, project, wrapped: by !== undefined, disabled: isDisabled, by, why: unfit })),
    }))
    place.stdout.write(jsonLine({ version: clientInfo().version, files }))
    return exitCodes.done
  }
  const say = (line: string): void => void place.stdout.write(`${line}\n`)
  for (const { client, file, fault, servers } of rows.filter(({ exists }) => exists)) {
    say(`${client}: ${safeText(file)}`)
    if (fault) say(`  ${safeText(fault.message)}`)
    else if (servers.length === 0) say('  no servers')
    for (const server of servers) say(`  ${safeText(nameOf(server), { maximum: 100 })}: ${safeText(describe(server), { maximum: 500 })}`)
  }
  const missing = rows.filter(({ exists }) => !exists).map(({ client }) => client)
  if (missing.length > 0) say(`No file here: ${missing.join('; ')}`)
  return exitCodes.done
}

export function nameOf({ name, project }: ClientServerRow): string {
  return project === undefined ? name : `${name} (${project})`
}

function describe({ by, isDisabled, unfit }: ClientServerRow): string {
  const state = by === undefined ? `not wrapped${unfit === undefined ? '' : ` (${unfit})`}` : `wrapped by ${describeProgram(by)}`
  return isDisabled ? `${state}, switched off` : state
}

/** A program as people tell it from others, with what is wrong with it. */
export function describeProgram({ program, exists, version, isThis }: WrappedBy): string {
  if (exists === null) return program
  if (!exists) return `${program}, which is not there: consentry install leads it here`
  if (isThis) return 'this program'
  const own = clientInfo().version
  if (version === null) return `${program}, of an unknown version`
  return version === own ? `${program}, another copy of ${own}` : `${program}, which is ${version} while this is ${own}: consentry install leads it here`
}
