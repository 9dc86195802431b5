import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ConsentryError } from '../errors.ts'
import { clientInfo } from './client-info.ts'
import { exitCodeOf, exitCodes, type ExitCode } from './exit.ts'
import { addInstallCommands } from './install/commands.ts'
import type { Place } from './place.ts'
import { safeText } from './terminal/safe-text.ts'

export const protocolChoices = ['auto', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** Runs one command line. Never throws: what goes wrong is said on stderr and in the exit code. */
export async function run(argv: readonly string[], place: Place): Promise<ExitCode> {
  const { own, command } = splitAtDashes(argv)
  let code: ExitCode = exitCodes.done
  const program = createProgram(place, command, (result) => (code = result))
  try {
    await program.parseAsync(own, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (!(error instanceof ConsentryError)) {
      place.stderr.write(`consentry: an error of ours, please report it: ${error instanceof Error ? error.stack : String(error)}\n`)
      return exitCodes.failed
    }
    place.stderr.write(`consentry: ${safeText(error.message, { lines: true, maximum: 10_000 }).replaceAll('\n', '\n  | ')}\n`)
    return exitCodeOf(error)
  }
}

/** `own -- COMMAND ARG ...`: what follows the dashes is never ours. */
function splitAtDashes(argv: readonly string[]): { readonly own: readonly string[]; readonly command: readonly string[] | undefined } {
  const dashes = argv.indexOf('--')
  return dashes < 0 ? { own: argv, command: undefined } : { own: argv.slice(0, dashes), command: argv.slice(dashes + 1) }
}

function createProgram(place: Place, command: readonly string[] | undefined, done: (code: ExitCode) => void): Command {
  const program = new Command('consentry')
    .description('The client half of the Model Context Protocol: roots, elicitation and sampling, with a person in charge.')
    .version(clientInfo().version, '-V, --version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => place.stdout.write(text), writeErr: (text) => place.stderr.write(text) })
    .showHelpAfterError('(consentry --help tells more)')

  program
    .command('call')
    .description('Call one tool of a server and answer what it asks: in the terminal, or from an answers file.')
    .usage('TOOL [options] (--server NAME | --url URL | -- COMMAND [ARG ...])')
    .showHelpAfterError('(the command of the server stands after --; consentry call --help tells more)')
    .argument('[tool]', 'the tool to call')
    .option('--args <json>', 'arguments of the tool or prompt, as a JSON object')
    .option('--prompt <name>', 'get a prompt in place of calling a tool')
    .option('--read <uri>', 'read a resource in place of calling a tool')
    .option('--list', 'tell which tools, prompts and resources there are')
    .option('--server <name>', 'a server of the config')
    .option('--url <url>', 'a server at an address')
    .option('--name <name>', "the server's name in reviews, rules and the audit log")
    .option('--root <path>', 'a folder or file this server may be told about; repeatable', collect, [])
    .option('--read-root <path>', 'the same, for a held server (--sandbox) to read only; repeatable', collect, [])
    .option('--sandbox <what>', 'hold the server to its roots by the operating system: roots, or roots,offline')
    .option('--sandbox-read <path>', 'more that a held server may read; repeatable', collect, [])
    .option('--roots-to <how>', 'for servers that do not ask: arguments, or env:NAME')
    .option('--answers <file>', 'answer from a script instead of a person')
    .option('--record <file>', 'write every answer of this run as an answers file')
    .addOption(new Option('--protocol <revision>', 'the revision to speak').choices(protocolChoices).default('auto'))
    .option('--json', 'print exactly one JSON object on stdout')
    .option('--verbose', "show the server's stderr")
    .action(async (tool: string | undefined, options: object) => {
      const { runCall } = await import('./call.ts')
      done(await runCall({ tool, command, ...options } as Parameters<typeof runCall>[0], place))
    })

  // Its arguments are read before this parser is loaded; here it is only listed.
  program
    .command('wrap')
    .description('Stand between an MCP client and a server, and answer what the client cannot be asked (consentry wrap --help).')
    .usage('[options] -- COMMAND [ARG ...]')

  program
    .command('up')
    .description('Run the desk: the one place where what servers ask waits for you, with its console in the browser.')
    .option('--port <number>', 'the port of the console on 127.0.0.1', readPort)
    .option('--no-open', 'do not open the browser')
    .option('--json', 'print one line of JSON when ready')
    .addOption(new Option('--background', 'started by a wrap: leaves by itself').hideHelp())
    .addOption(new Option('--quiet-ms <milliseconds>', 'how long it stays when nobody needs it').argParser(Number).hideHelp())
    .action(async (options: { open: boolean }) => {
      const { runUp } = await import('./up.ts')
      done(await runUp(options, place))
    })

  program
    .command('inbox')
    .description('Run the desk in this terminal: answer here what servers ask, for instance over SSH.')
    .action(async () => {
      const { runInbox } = await import('./inbox.ts')
      done(await runInbox(place))
    })

  program
    .command('demo')
    .description('A short tour in the browser: a travel-booking server asks for folders, a form, a completion and a visit to a web page.')
    .option('--terminal', 'in this terminal instead; so it is over SSH, too')
    .option('--port <number>', 'the port of the console on 127.0.0.1', readPort)
    .option('--no-open', 'do not open the browser')
    .option('--json', 'print one line of JSON when ready')
    .action(async (options: { open: boolean }) => {
      const { runDemo } = await import('./demo.ts')
      done(await runDemo(options, place))
    })

  const roots = program.command('roots').description('The folders that servers may be told about.')
  const rootsCommand = (name: string, description: string): Command =>
    roots.command(name).description(description).option('--server <name>', 'for this server; default: for every server').option('--json', 'print JSON')
  rootsCommand('list', 'Show which folders who may be told about, whether they can be told now, and who was told when.').action(async (options: object) => {
    const { listRootRows } = await import('./roots-list.ts')
    done(await listRootRows(options, place))
  })
  rootsCommand('add', 'Let servers be told about a folder or a file.')
    .argument('<path>')
    .option('--display-name <name>', 'what servers are shown')
    .option('--as <uri>', 'the file:// URI by which a server in a container or on another machine knows it; with --server')
    .option('--yes', 'also a folder that is not added lightly, such as the home folder')
    .action(async (path: string, options: object) => {
      const { addConfiguredRoot } = await import('./roots.ts')
      done(await addConfiguredRoot(path, options, place))
    })
  rootsCommand('remove', 'Take a folder off the list.')
    .argument('<path>')
    .action(async (path: string, options: object) => {
      const { removeConfiguredRoot } = await import('./roots.ts')
      done(await removeConfiguredRoot(path, options, place))
    })

  rootsCommand('detect', 'Find the folders that could be the project around a folder, best first, with their evidence.')
    .argument('[path]', 'where to start; default: here')
    .action(async (path: string | undefined, options: object) => {
      const { detectRoots } = await import('./roots.ts')
      done(await detectRoots(path, options, place))
    })

  const grants = rootsCommand('grants', 'Show what you said when servers asked for folders, where it is remembered.').action(async (options: object) => {
    const { listGrants } = await import('./roots-grants.ts')
    done(await listGrants(options, place))
  })
  grants
    .command('revoke')
    .description('Take one back: its id, or the beginning of it.')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, options: object) => {
      const { revokeGrant } = await import('./roots-grants.ts')
      done(await revokeGrant(id, options, place))
    })

  const models = program.command('models').description('The language models that may answer, and what was remembered about them.')
  models
    .command('list')
    .description('Show your models, with what is known of each.')
    .option('--json', 'print JSON')
    .action(async (options: object) => {
      const { listModels } = await import('./models.ts')
      done(await listModels(options, place))
    })
  models
    .command('detect')
    .description('Look for models on this computer (Ollama, LM Studio, llama.cpp, Docker), and pick which may answer.')
    .option('--json', 'print JSON, and add nothing')
    .action(async (options: object) => {
      const { detectModels } = await import('./models.ts')
      done(await detectModels(options, place))
    })
  models
    .command('add')
    .description('Let a model answer: PROVIDER:MODEL, like ollama:qwen3:4b.')
    .argument('<model>')
    .option('--base-url <url>', 'where it is, up to and including the version')
    .option('--json', 'print JSON')
    .action(async (model: string, options: object) => {
      const { addConfiguredModel } = await import('./models.ts')
      done(await addConfiguredModel(model, options, place))
    })
  models
    .command('key')
    .description("Keep a key in the system's keyring; it is typed unseen, or read from stdin.")
    .argument('<name>', 'the name that the config gives: "apiKey": {"keyring": NAME}')
    .option('--remove', 'take it out of the keyring')
    .action(async (name: string, options: object) => {
      const { storeModelKey } = await import('./model-key.ts')
      done(await storeModelKey(name, options, place))
    })
  const modelGrants = models
    .command('grants')
    .description('Show what you said about model requests, where it is remembered.')
    .option('--json', 'print JSON')
    .action(async (options: object) => {
      const { listModelGrants } = await import('./model-grants.ts')
      done(await listModelGrants(options, place))
    })
  modelGrants
    .command('revoke')
    .description('Take one back: its id, or the beginning of it.')
    .argument('<id>')
    .option('--json', 'print JSON')
    .action(async (id: string, options: object) => {
      const { revokeModelGrant } = await import('./model-grants.ts')
      done(await revokeModelGrant(id, options, place))
    })

  program
    .command('usage')
    .description('Which server took how much of which model, day by day.')
    .option('--days <count>', 'how many days back, today included', '7')
    .option('--server <name>', 'of this server alone')
    .option('--json', 'print JSON')
    .action(async (options: object) => {
      const { showUsage } = await import('./usage.ts')
      done(await showUsage(options, place))
    })

  const audit = program.command('audit').description('What was asked, decided and answered, and by whom.')
  for (const [name, description] of [
    ['list', 'Show the log, oldest first.'],
    ['export', 'Print the log with its chain of hashes, one JSON object a line.'],
    ['verify', 'Check that nothing was altered or removed.'],
  ] as const) {
    audit
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action(async (options: { json?: boolean }) => {
        const { runAudit } = await import('./audit.ts')
        done(await runAudit(name, options, place))
      })
  }

  program
    .command('check')
    .description('What would happen? Without a server, a person or a network: one case as JSON on stdin, or one a line with --batch.')
    .argument('<kind>', 'forms, secrets, urls, sampling-messages, model-choice, redaction, roots, workspace-detect or containment')
    .option('--batch <file>', 'a file with one JSON object a line, or - for stdin')
    .option('--json', 'print JSON, also for one case')
    .addHelpText(
      'after',
      '\nWhat a case looks like, for each kind: docs/check.md. For example:\n  echo \'{"url":"https://x.example/","serverOrigin":null}\' | consentry check urls',
    )
    .action(async (kind: string, options: { batch?: string; json?: boolean }) => {
      const { runCheck } = await import('./check.ts')
      done(await runCheck(kind, options, place))
    })

  addInstallCommands(program, place, done)
  return program
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('a port is a whole number from 1 to 65535')
  return port
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}
