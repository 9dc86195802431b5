import { isCovered } from './lay-out.ts'
import { sayHidden, sayReadable, sayRoots } from './say.ts'
import { writeProfile } from './seatbelt-profile.ts'
import type { Captive, HoldingWay } from './way.ts'

/** The system's own, which nobody can replace: it heeds no PATH, and no variables that make it load code. */
const SANDBOX_EXEC = '/usr/bin/sandbox-exec'
const SHELL = '/bin/sh'

/**
 * Runs in the sandbox before the server does, and prints a word for each thing that went through. Its arguments: a folder outside, one of its own, folders that it may
 * only read, ` --`, folders that it must not see. Only `works` is right.
 */
const probe = `exec 2>/dev/null
set -C
outside=$1 own=$2
shift 2
for kept in "$outside/kept" "/System/Volumes/Data$outside/kept"; do [ -n "$(cat "$kept")" ] && echo read; done
ls "$outside" >/dev/null && echo list
(: > "$outside/new") && echo make
(: >> "$outside/kept" && echo x >> "$outside/kept") && echo write
ln "$outside/kept" "$own/linked" && echo link
mv "$outside/kept" "$own/moved" && echo move
ln -s "$outside" "$own/way" && [ -n "$(cat "$own/way/kept")" ] && echo follow
while [ "$1" != -- ]; do (: > "$1/.consentry-probe") && echo "write to $1" && rm "$1/.consentry-probe"; shift; done
shift
for folder; do ls "$folder" >/dev/null && echo "list $folder"; done
(: > "$own/made") && [ -f "$own/made" ] && echo works
exit 0`

/** Puts a file outside, as anybody could. */
const prepare = 'umask 077; printf kept > "$1/kept"'

/**
 * Holds a server by macOS's own sandbox. Nobody has run this on a Mac who wrote it: so each start tries the very profile of the server first, and the server is started
 * only where nothing went through that must not.
 */
export const holdBySeatbelt: HoldingWay = async (captive) => {
  const { start, layout, isOffline, machine } = captive
  const temporary = machine.makeTemporary()
  const { text, parameters } = writeProfile(layout, { isOffline, temporary: temporary.path })
  const held = ['-p', text, ...[...parameters].flatMap(([name, value]) => ['-D', `${name}=${value}`])]
  const fault = await tryOut(held, temporary.path, captive)
  if (fault !== undefined) {
    temporary.remove()
    return fault
  }
  const env = { XDG_CACHE_HOME: `${temporary.path}/cache`, npm_config_cache: `${temporary.path}/npm`, ...start.env, TMPDIR: temporary.path }
  return { ...start, command: SANDBOX_EXEC, args: [...held, start.command, ...start.args], env, says: say(captive), close: temporary.remove }
}

/** @returns what went through; undefined where all is as it must be */
async function tryOut(held: readonly string[], own: string, { layout, secret, machine }: Captive): Promise<string | undefined> {
  const outside = machine.makeTemporary()
  try {
    await machine.run(SHELL, ['-c', prepare, 'sh', outside.path])
    if (machine.headOf(`${outside.path}/kept`) !== 'kept') return 'it cannot be tried out'
    const folders = layout.roots.filter(({ path, access }) => access === 'read' && machine.kindOf(path) === 'folder').map(({ path }) => path)
    const run = await machine.run(SANDBOX_EXEC, [...held, SHELL, '-c', probe, 'sh', outside.path, own, ...folders, '--', ...secret])
    if (run === undefined) return 'sandbox-exec is not here, or does not end'
    const went = run.output.split('\n').filter((line) => line !== '')
    if (run.code !== 0 || went.at(-1) !== 'works') return `sandbox-exec cannot work here (${went[0] ?? `exit code ${run.code}`})`
    const isUntouched = machine.headOf(`${outside.path}/kept`) === 'kept' && machine.kindOf(`${outside.path}/new`) === undefined
    if (went.length === 1 && isUntouched) return undefined
    return `sandbox-exec does not hold here: in a test it could ${[...new Set(went.slice(0, -1)), ...(isUntouched ? [] : ['change a file outside'])].join(', ')}`
  } finally {
    outside.remove()
  }
}

function say({ layout, isOffline, secret }: Captive): readonly string[] {
  const tried = secret.filter((path) => !isCovered(path, layout.readable))
  return [
    `held by macOS's sandbox-exec: ${sayRoots(layout)}. Besides those it can read the system's programs and settings, and its own (${sayReadable(layout)}), and write only to a temporary folder`,
    `tried out just now with the same rules: nothing outside could be read, listed, written, linked or moved${tried.length > 0 ? `, and ${tried.join(' and ')} not be listed` : ''}`,
    'experimental: no Mac was there to test it on. That sockets that are files (an ssh agent, docker.sock), keychains and other programs are closed to it, and nothing that was left open reaches it, is what its rules and the system say, and was not tried; names and sizes of the folders above its own can be seen',
    isOffline ? 'its rules leave it no network' : 'the network is open to it, with everything that listens on this machine (--sandbox roots,offline closes it)',
    ...sayHidden(layout, 'are closed'),
  ]
}
