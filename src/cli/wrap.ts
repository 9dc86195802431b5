import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConsentryError } from '../errors.ts'
import type { Root } from '../protocol/index.ts'
import { eraOf } from '../protocol/revision.ts'
import { startGateway, type Gateway, type ServerAddress, type ServerEnd } from '../gateway/index.ts'
import { identifyAddress, openAddress, type AddressIdentity } from './address-server.ts'
import type { Config } from '../policy/config.ts'
import { environmentOf, identifyCommand, withPath, type CommandIdentity } from './command-server.ts'
import { exitCodeOf, exitCodes } from './exit.ts'
import { explainUnanswered, isUnanswered } from './explain-answer.ts'
import { Farewells } from './farewells.ts'
import { passStderr } from './pass-stderr.ts'
import type { Place } from './place.ts'
import { safeText } from './terminal/safe-text.ts'
import { mayBeTakenOver } from './state-folder.ts'
import { LateConfig } from './late-config.ts'
import { StderrNews } from './tell-stderr.ts'
import type { PreparedStart, ToldFolder } from './prepare-start.ts'
import { sayUnnamed } from './say-unnamed.ts'
import { toldList, uncovered } from './uncovered-roots.ts'
import { describeOwners, WrapDesk, type WrapDeskOptions } from './wrap-desk.ts'
import { readWrapOptions, wrapHelp, type WrapOptions } from './wrap-options.ts'
import { WrapRemote } from './wrap-remote.ts'

type PreparedAddress = ServerAddress & Pick<PreparedStart, 'says'> & { readonly held?: undefined; readonly startedWith?: undefined }

const longestGoodbyeMs = 2000

/**
 * `consentry wrap`: stands between the client on our stdin and stdout and a server, until either is gone.
 *
 * Everything that can be wrong with options, config and answers file is said before the server is started.
 * @returns the exit code: the server's, or 128 and the signal that ended it
 */
export async function runWrap(argv: readonly string[], place: Place): Promise<number> {
  try {
    const options = readWrapOptions(argv)
    if (options !== undefined) return await wrap(options, place)
    place.stdout.write(wrapHelp)
    return exitCodes.done
  } catch (error) {
    if (!(error instanceof ConsentryError)) {
      say(place, `an error of ours, please report it: ${error instanceof Error ? error.stack : String(error)}`)
      return exitCodes.failed
    }
    say(place, error.message)
    return exitCodeOf(error)
  }
}

async function wrap(options: WrapOptions, place: Place): Promise<number> {
  const identity = options.url === undefined ? identifyCommand(options.command, options.name, place) : identifyAddress(options.url, options.name)
  const parts: WrapDeskOptions = { options, identity, place, notice: (sentence) => say(place, sentence) }
  const file = await LateConfig.open(place)
  const remote = options.answers === undefined && !options.noDesk ? await WrapRemote.check(parts) : undefined
  const desk = remote ?? (await WrapDesk.prepare(parts, file))
  const name = safeText(identity.name, { maximum: 60 })
  const advice =
    options.answers === undefined
      ? options.noDesk
        ? 'pass --answers FILE'
        : 'answer at the desk: consentry up'
      : 'add an entry that matches it to the answers file'
  const { target } = identity
  const command = target.kind === 'stdio' ? { ...identity, target } : undefined
  let start = await reach(options, identity, place, name, file.current)
  let told: readonly Root[] | undefined
  let undecided: readonly string[] | undefined
  if (remote) file.close()
  for (const sentence of start.says) say(place, `${name}: ${sentence}`)
  const isForAll = remote !== undefined && mayBeTakenOver(place)
  const parent = process.ppid
  const said = new Set<string>()
  const sayOnce = (sentence: string): void => {
    if (!said.has(sentence)) say(place, sentence)
    said.add(sentence)
  }
  const farewells = new Farewells()
  const [pass, news] = [passStderr(place.stderr), new StderrNews()]
  try {
    const gateway = await startGateway({
      server: start,
      client: {
        get input() {
          return place.stdin
        },
        get output() {
          return place.stdout
        },
      },
      // A server is told what it was started with, also where the client has folders of its own.
      wishes: start.startedWith && !options.pass.has('roots') ? { ...options, take: new Set([...options.take, 'roots']) } : options,
      before: () => desk.before,
      prepare: remote && (() => remote.prepare()),
      preparesForAll: isForAll,
      openSession: (client) =>
        desk.openSession(client, {
          saysHeld: start.held !== undefined,
          canRestart: command !== undefined,
          // Of the process that runs: a desk that comes later hears of that one.
          get startedWith() {
            return start.startedWith
          },
          get told() {
            return told
          },
          get undecided() {
            return undecided
          },
          keptFolders: options.keptFolders,
        }),
      prepareAgain:
        command &&
        (async () => {
          const again = await startAgain(options, command, place, gateway.conversation, start.startedWith !== undefined)
          for (const sentence of again.says) sayOnce(`${name}: ${sentence}`)
          start = again
          told = undecided = undefined
          return again
        }),
      onRestarted: (fault) => {
        const end = { ...(fault && { fault: fault.message }), ...(start.startedWith && { startedWith: start.startedWith }) }
        void gateway.conversation.openDesk().then((session) => session.restarted?.(end))
      },
      observer: {
        answered: ({ kind, revision }, response) => {
          if (kind === 'roots' && eraOf(revision) === 'legacy' && response.outcome === 'answered') told = toldList(response)
          for (const sentence of uncovered(start.held, kind, response)) sayOnce(`${name}: ${sentence}`)
          if (isUnanswered(response)) for (const sentence of explainUnanswered(kind, response, advice)) say(place, `${name}: ${sentence}`)
        },
      },
      onShared: (owners) => {
        for (const sentence of describeOwners(owners, options)) sayOnce(sentence)
        desk.watch(gateway.conversation)
        if (isForAll) void gateway.conversation.openDesk().catch(() => undefined)
      },
      onStderr: (bytes) => {
        pass(bytes)
        news.push(bytes)
      },
      notice: (sentence) => say(place, `${name}: ${sentence}`),
      isOrphan: () => process.ppid !== parent,
      maxLineBytes: options.maxLineBytes,
      platform: place.platform,
      onStarted: (port) => farewells.passTo({ end: (signal) => port.signal(signal), kill: () => port.kill() }),
    })
    farewells.passTo(gateway)
    gateway.conversation.onSession((session) => {
      news.tell(session)
      session.on('folders-undecided', (known) => (undecided = known))
    })
    const end = await gateway.ended
    news.close()
    await Promise.race([Promise.all([desk.close(), drained(place.stderr)]), sleep(longestGoodbyeMs, undefined, { ref: false })])
    return codeOf(end)
  } finally {
    farewells.close()
  }
}

/** The server as it is reached: at its address, or by its command. */
async function reach(
  options: WrapOptions,
  identity: CommandIdentity | AddressIdentity,
  place: Place,
  name: string,
  config: Config,
): Promise<PreparedStart | PreparedAddress> {
  const { target } = identity
  if (target.kind === 'stdio') return startOf(options, { ...identity, target }, place, config)
  return { ...(await openAddress(target.url, options, place, (sentence) => say(place, `${name}: ${sentence}`))), says: [] }
}

/** The same server once more, with the folders of now. */
async function startAgain(
  options: WrapOptions,
  identity: CommandIdentity,
  place: Place,
  conversation: Gateway['conversation'],
  fixesFolders: boolean,
): Promise<PreparedStart> {
  const file = await LateConfig.open(place)
  file.close()
  if (!fixesFolders) return startOf(options, identity, place, file.current)
  const { toldRoots } = await import('./told-roots.ts')
  return startOf(options, identity, place, file.current, await toldRoots(await conversation.openDesk()))
}

/** The command as it is started: most of the time as it was typed, and then nothing is loaded for it. */
async function startOf(options: WrapOptions, identity: CommandIdentity, place: Place, config: Config, told?: readonly ToldFolder[]): Promise<PreparedStart> {
  const start = { ...identity.target, env: withPath(environmentOf(place), options.path, place) }
  const { start: typed, roots, readRoots } = options
  const unnamed = sayUnnamed(identity, config)
  if (typed.sandbox === undefined && typed.rootsTo === undefined && ![...config.mcpServers.values()].some((entry) => 'wishes' in entry))
    return { ...start, says: unnamed }
  const { configuredWishes, prepareStart, readWishes } = await import('./prepare-start.ts')
  const wishes = { ...configuredWishes(identity, config), ...readWishes(typed) }
  if (wishes.sandbox && options.pass.has('roots')) throw new ConsentryError('USAGE', 'a held server is told its roots here: take roots out of --pass')
  const folders = { root: roots.filter((root) => !readRoots.includes(root)), readRoot: readRoots, config, told }
  const prepared = await prepareStart(start, wishes, identity, folders, place)
  return { ...prepared, says: [...unnamed, ...prepared.says] }
}

function drained(stream: Writable): Promise<void> {
  return stream.writableLength === 0 ? Promise.resolve() : new Promise((resolve) => void stream.write('', () => resolve()))
}

function codeOf({ code, signal }: ServerEnd): number {
  if (code !== null) return code
  const number = constants.signals[signal as keyof typeof constants.signals] as number | undefined
  return number === undefined ? exitCodes.unreachable : 128 + number
}

function say({ stderr }: Place, sentence: string): void {
  // A peer's words may have lines; none of them may look like one of ours.
  stderr.write(`consentry: ${safeText(sentence, { lines: true, maximum: 10_000 }).replaceAll('\n', '\n  | ')}\n`)
}
