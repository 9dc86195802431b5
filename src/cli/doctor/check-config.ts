import { existsSync } from 'node:fs'
import { ConsentryError } from '../../errors.ts'
import { emptyConfig, parseConfig, type Config } from '../../policy/index.ts'
import { privateFiles } from '../../store/index.ts'
import { configPlaceOf } from '../open-config.ts'
import type { Place } from '../place.ts'
import { openStateFolder } from '../state-folder.ts'
import { findConfigFaults } from './config-faults.ts'
import type { Finding } from './finding.ts'

/** Reads the user's config, and says what is wrong with it, place by place. @returns an empty one where it cannot be used */
export async function checkConfig(place: Place): Promise<{ readonly config: Config; readonly findings: readonly Finding[] }> {
  const { configFile } = openStateFolder(place)
  const check = 'config'
  try {
    const text = await privateFiles.read(configFile)
    if (text === undefined)
      return { config: emptyConfig, findings: [{ check, about: configFile, state: 'ok', says: 'there is none: you are asked about everything' }] }
    const faults = findConfigFaults(text, configFile, configPlaceOf(place))
    const advice = 'mend it there: until then no wrap starts, and those that run suspend the rules and ask you'
    if (faults.length > 0) return { config: emptyConfig, findings: faults.map(({ message }) => ({ check, state: 'wrong', says: message, advice })) }
    const config = parseConfig(text, configFile, configPlaceOf(place))
    return { config, findings: [{ check, about: configFile, state: 'ok', says: describe(config) }, ...missingFolders(config)] }
  } catch (error) {
    const { message } = error as Error
    if (!(error instanceof ConsentryError) && (error as NodeJS.ErrnoException).code === undefined) throw error
    return {
      config: emptyConfig,
      findings: [{ check, about: configFile, state: 'wrong', says: `it cannot be read: ${message}`, advice: 'let your user read it' }],
    }
  }
}

function describe({ mcpServers, roots, models, rules }: Config): string {
  const folders = [...roots.values()].reduce((sum, entries) => sum + entries.length, 0)
  const counted = [
    [mcpServers.size, 'server'],
    [folders, 'folder'],
    [models.length, 'model'],
    [rules.length, 'rule'],
  ] as const
  return `sound: ${counted.map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ')}`
}

function missingFolders({ roots }: Config): readonly Finding[] {
  return [...roots].flatMap(([server, entries]) =>
    entries
      .filter(({ path }) => !existsSync(path))
      .map(({ path }): Finding => {
        const who = server === '*' ? 'every server' : server
        return {
          check: 'config',
          about: path,
          state: 'note',
          says: `this folder of ${who} is not there: it is told as soon as it is`,
          advice: 'nothing, or consentry roots remove',
        }
      }),
  )
}
