/** The words of `consentry wrap` in the command of a server. */
export interface OurWords {
  /** `inside`: another program stands before them. */
  readonly position: 'front' | 'inside'
  /** What starts the program, as it is written; undefined where it is started itself. */
  readonly runtime: string | undefined
  /** The program as it is written: a path, or the name of a package. */
  readonly program: string
  /** Where it stands among the words, the command being the first. */
  readonly programAt: number
  /** Between `wrap` and `--`. */
  readonly options: readonly string[]
  /** Where the server's own command begins; undefined where it has an address. */
  readonly serverAt: number | undefined
}

const starters: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'bunx', 'npx', 'npm', 'pnpm', 'yarn', 'cmd'])
const starterWords: ReadonlySet<string> = new Set(['exec', 'dlx', 'x', 'run', 'npx', '/c', '/C'])
const flags: ReadonlySet<string> = new Set(['--no-desk'])

/** Finds `consentry wrap` in a command, whoever wrote it there; undefined where it is not. */
export function findOurWords(command: string, args: readonly string[]): OurWords | undefined {
  const words = [command, ...args]
  const wrapAt = words.findIndex((word, index) => word === 'wrap' && index > 0 && isOurProgram(words[index - 1]!, wordsUpToDashes(words, index + 1)))
  if (wrapAt < 0) return undefined
  const dashes = words.indexOf('--', wrapAt)
  const options = wordsUpToDashes(words, wrapAt + 1)
  if (dashes < 0 && optionValues(options, '--url').length === 0) return undefined
  const programAt = wrapAt - 1
  const before = words.slice(0, programAt)
  const isFront = before.every((word, index) => (index === 0 ? starters.has(bareName(word)) : word.startsWith('-') || starterWords.has(word)))
  return {
    position: isFront ? 'front' : 'inside',
    runtime: before[0],
    program: words[programAt]!,
    programAt,
    options,
    serverAt: dashes < 0 ? undefined : dashes + 1,
  }
}

/** What was given for an option of `wrap`, each time. */
export function optionValues(options: readonly string[], name: string): readonly string[] {
  const values: string[] = []
  for (let index = 0; index < options.length; index += 1) {
    const word = options[index]!
    if (word.startsWith(`${name}=`)) values.push(word.slice(name.length + 1))
    else if (word.startsWith('-') && !word.includes('=') && !flags.has(word)) {
      index += 1
      if (word === name && index < options.length) values.push(options[index]!)
    }
  }
  return values
}

function wordsUpToDashes(words: readonly string[], start: number): readonly string[] {
  const dashes = words.indexOf('--', start)
  return words.slice(start, dashes < 0 ? undefined : dashes)
}

/** Installed by a package manager, run by one, or a build of the sources: one that says nothing of us in its path is known by what install writes among its options. */
function isOurProgram(word: string, options: readonly string[]): boolean {
  if (/(?:^|[\\/])consentry(?:\.(?:cmd|exe|ps1))?$/i.test(word) || /^consentry@[^\s/]+$/.test(word)) return true
  return (
    /[\\/]dist[\\/]cli[\\/]main\.js$/.test(word) && (/consentry/i.test(word) || options.some((option) => option === '--name' || option.startsWith('--name=')))
  )
}

function bareName(word: string): string {
  return word
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.(?:exe|cmd)$/i, '')
    .toLowerCase()
}
