import type { StartCommand } from './boundary.ts'
import type { SplitEnvironment } from './holder.ts'
import type { Machine } from './machine.ts'

/** Where systems keep their own programs, which no server can write. */
const SYSTEM_FOLDERS = ['/usr/bin', '/bin', '/run/current-system/sw/bin']
/** What a shell can set; nothing that loads code has another name. */
const SETTABLE = /^[A-Za-z_]\w*$/
/** In bytes; Linux takes no argument of 128 KiB. */
const LONGEST_LIST = 100_000

/**
 * Runs in the sandbox before the server does. What was mounted went by names, which others may have led elsewhere since they were looked at: it looks at what came of them,
 * and becomes the server only where that is the same. Arguments: a program, the folder to start in, all paths and all objects in lines, for each path the path and the object,
 * `--`, the server's variables, `--`, and its command. The object with a ` gone` after it may be gone by now. One look at all of them is enough where nothing has changed.
 */
const script = `stat=$1 here=$2 paths=$3 objects=$4
shift 4
set -f
IFS='
'
found=$("$stat" -Lc %d:%i -- $paths 2>/dev/null)
unset IFS
set +f
if [ "$found" = "$objects" ]; then
  while [ "$1" != -- ]; do shift 2; done
fi
while [ "$1" != -- ]; do
  found=$("$stat" -Lc %d:%i -- "$1" 2>/dev/null) || found=gone
  case " $2 " in
    *" $found "*) shift 2 ;;
    *)
      echo "consentry: the server was not started: something else was put in the place of $1 in that very moment" >&2
      exit 126
  esac
done
shift
cd -- "$here" 2>/dev/null
while [ "$1" != -- ]; do export "$1=$2"; shift 2; done
shift
exec "$@"`

/** What is to be found where. */
export interface Expected {
  readonly path: string
  /** Device and inode. */
  readonly identity: string
  readonly mayBeGone: boolean
}

/** A server's command, behind one that looks again; undefined where the system has nothing that could. @param loading variables that only the server itself gets */
export function lookAgain(
  { command, args, cwd }: Pick<StartCommand, 'command' | 'args' | 'cwd'>,
  expected: readonly Expected[],
  loading: SplitEnvironment['loading'],
  machine: Machine,
): readonly string[] | undefined {
  const [shell, stat] = ['sh', 'stat'].map((name) => SYSTEM_FOLDERS.map((folder) => `${folder}/${name}`).find((path) => machine.isExecutable(path)))
  if (shell === undefined || stat === undefined) return undefined
  // A name with a line end is two in a list of lines, and a long list is more than an argument may be: then each is looked at by itself.
  const list = expected.map(({ path }) => path).join('\n')
  const isList = expected.every(({ path }) => !path.includes('\n')) && Buffer.byteLength(list) <= LONGEST_LIST
  return [
    ...loading.filter(([name]) => !SETTABLE.test(name)).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
    shell,
    '-c',
    script,
    'sh',
    stat,
    cwd ?? '/tmp',
    isList ? list : '',
    isList ? expected.map(({ identity }) => identity).join('\n') : 'each',
    ...expected.flatMap(({ path, identity, mayBeGone }) => [path, mayBeGone ? `${identity} gone` : identity]),
    '--',
    ...loading.filter(([name]) => SETTABLE.test(name)).flat(),
    '--',
    command,
    ...args,
  ]
}
