import { InvalidArgumentError, type Command } from 'commander'
import type { ExitCode } from '../exit.ts'
import { installableClients } from '../other-clients.ts'
import type { Place } from '../place.ts'

const usualWait = 60

/** The commands about the config files of other clients. */
export function addInstallCommands(program: Command, place: Place, done: (code: ExitCode) => void): void {
  const about = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--client <name>', `only of this client: ${installableClients.join(', ')}; repeatable`, collect, [])
      .option('--config <file>', 'this file, whoever it belongs to; repeatable', collect, [])
      .option('--json', 'print exactly one JSON object on stdout')
  const changing = (name: string, description: string): Command =>
    about(name, description)
      .argument('[server...]', 'names of servers; default: all')
      .option('--yes', 'write without asking')
      .option('--dry-run', 'show what would be written, and write nothing')

  changing('install', 'Put the wrap before the servers of Claude Desktop, Claude Code, Cursor and VS Code; what would be written is shown first.')
    .option('--wait <seconds>', 'how long a server is given to start, when it is tried', readSeconds, usualWait)
    .action(async (servers: readonly string[], options: object) => {
      const { runInstall } = await import('./install.ts')
      done(await runInstall({ servers, ...options } as Parameters<typeof runInstall>[0], place))
    })
  changing('uninstall', 'Take the wrap out again: every entry gets back what stood there before.').action(
    async (servers: readonly string[], options: object) => {
      const { runUninstall } = await import('./install.ts')
      done(await runUninstall({ servers, ...options } as Parameters<typeof runUninstall>[0], place))
    },
  )
  about('status', 'Show which config files of which clients there are, and which servers in them are wrapped, by which program.').action(
    async (options: object) => {
      const { runStatus } = await import('./status.ts')
      done(await runStatus(options as Parameters<typeof runStatus>[0], place))
    },
  )
  program
    .command('doctor')
    .description('Look whether everything works: node, state folder, config, desk, models, sandbox, browser, and each server; and say what to do.')
    .option('--wait <seconds>', 'how long each server is given to start', readSeconds, usualWait)
    .option('--json', 'print exactly one JSON object on stdout')
    .action(async (options: object) => {
      const { runDoctor } = await import('../doctor/doctor.ts')
      done(await runDoctor(options as Parameters<typeof runDoctor>[0], place))
    })
}

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 3600) throw new InvalidArgumentError('seconds are a whole number from 1 to 3600')
  return seconds
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
