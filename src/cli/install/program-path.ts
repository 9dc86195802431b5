import { existsSync } from 'node:fs'
import { findProgram as findOnWindows } from '../../mcp/windows-command.ts'
import { thisMachine } from '../../sandbox/machine.ts'
import { findProgram, SHEBANG } from '../../sandbox/startup-files.ts'
import { pathsOf, type Place } from '../place.ts'

/**
 * What a server's command needs besides the PATH of a client that has hardly any, as programs with a window do: the folder that it is found in, the one of what
 * runs it, and ours of node.
 *
 * @param own PATH of the entry itself
 * @returns in one text, written as PATH is; undefined for nothing; `missing` where there is no such program here
 */
export function pathForCommand(command: string, own: string | undefined, node: string, place: Place): string | undefined | { readonly missing: string } {
  const paths = pathsOf(place)
  const { delimiter } = paths
  const isBare = !/[\\/]/.test(command)
  // What only the client can fill in, or find, is its affair.
  if (command.includes('${') || (!isBare && !paths.isAbsolute(command))) return undefined
  const path = [own, place.environment['PATH'] ?? place.environment['Path']].filter((one) => one !== undefined && one !== '').join(delimiter)
  const find = (name: string): string | undefined => findOn(path, name, place)
  const program = find(command)
  if (program === undefined) return { missing: `there is no program ${JSON.stringify(command)} here` }
  const [, runner, named] = place.platform === 'win32' ? [] : (SHEBANG.exec(thisMachine.headOf(program)) ?? [])
  const interpreter = runner?.endsWith('/env') && named !== undefined ? find(named) : undefined
  const folders = [...(isBare ? [program] : []), ...(interpreter === undefined ? [] : [interpreter])].map((file) => paths.dirname(file))
  return folders.length === 0 ? undefined : [...new Set([...folders, paths.dirname(node)])].join(delimiter)
}

function findOn(path: string, name: string, { platform, cwd, environment }: Place): string | undefined {
  if (platform !== 'win32') return findProgram(name, path, cwd, thisMachine)
  const found = findOnWindows(name, { env: { PATH: path, PATHEXT: environment['PATHEXT'] ?? '' }, exists: existsSync })
  return existsSync(found) ? found : undefined
}
