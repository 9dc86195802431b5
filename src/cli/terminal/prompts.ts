import { PassThrough, type Writable } from 'node:stream'
import { hasHalfCharacter } from '../../protocol/json.ts'
import { growText, type GrowingText } from './grow-text.ts'
import type { Typed } from './key-reader.ts'
import { listen, type Keyboard } from './keyboard.ts'
import { MenuKeys, type KeyTaker } from './menu-keys.ts'
import { TextKeys } from './text-keys.ts'
import { through, WholeCharacters } from './whole-characters.ts'
import { words } from './words.ts'
import { isPlain } from './write-from.ts'

export interface Choosable<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string | undefined
}

/** The ways a person can be asked on a terminal. Every answer may be `undefined`: the person pressed Ctrl-C, the signal was aborted, or the terminal is gone. */
export interface Prompts {
  /** Aborted when the terminal was closed: nobody is there any more, and no answer that comes then is a person's. */
  readonly gone: AbortSignal
  /** Lines that can be seen at once. */
  rows(): number
  /** A block of ours. */
  say(text: string): void
  /** A block with somebody else's words in it, under their name. Of long ones that nobody answers for, the beginning can be enough: see `quoteBriefly`. */
  quote(text: string, title: string, extent?: 'all' | 'beginning'): void
  choose<Value extends string>(
    question: string,
    choices: readonly Choosable<Value>[],
    options: { readonly initial?: Value | undefined; readonly signal: AbortSignal },
  ): Promise<Value | undefined>
  pick(
    question: string,
    choices: readonly Choosable<string>[],
    options: { readonly initial: readonly string[]; readonly signal: AbortSignal },
  ): Promise<readonly string[] | undefined>
  write(question: string, options: WriteOptions): Promise<string | undefined>
  /** A text that grows under a title. @param onStop runs when the person presses Ctrl-C, which stops it and nothing else */
  grow(title: string, onStop: () => void): GrowingText
}

export interface WriteOptions {
  readonly initial?: string | undefined
  readonly kind: 'line' | 'lines' | 'secret'
  readonly signal: AbortSignal
  /** What is wrong with a text: it is said where the text stands, which can be mended then. */
  readonly check?: ((text: string) => Promise<string | undefined>) | undefined
}

/** Columns that are always there, and what the line at the left takes of them. */
const NARROWEST = 40
const USUAL = 80
const GUIDE = 4
/** What the frame of a quotation takes of its title's line. */
const FRAME = 8
const USUAL_ROWS = 24

type Terminal = Writable & { readonly columns?: number | undefined; readonly rows?: number | undefined }

/** What a prompt runs on: keys that count, the screen, and its end. */
interface Stage {
  readonly input: PassThrough
  readonly output: Terminal
  readonly signal: AbortSignal
  /** The question as it stands now, with what there is to say beside it. */
  readonly question: () => string
  /** Nothing is heard while an answer is checked: what is typed then comes afterwards. */
  readonly whileChecking: (check: () => Promise<string | undefined>) => Promise<string | undefined>
}

interface Scene<Answer> {
  readonly question: string
  readonly signal: AbortSignal
  /** Who hears what is typed. */
  readonly hearer: (taker: KeyTaker) => { take(typed: Typed): void }
  readonly run: (stage: Stage) => Promise<Answer | symbol>
}

/** Prompts over @clack/prompts, which is loaded with the first question. Everything goes to `output`, so that stdout stays free for results. */
export async function createPrompts({
  input,
  output: terminal,
  now = () => performance.now(),
}: {
  readonly input: Keyboard
  readonly output: Terminal
  /** In milliseconds, from any beginning. */
  readonly now?: (() => number) | undefined
}): Promise<Prompts> {
  const [clack, { wrapAnsi }] = await Promise.all([import('@clack/prompts'), import('fast-wrap-ansi')])
  const gone = new AbortController()
  /** Some terminals say that they have no columns (a pty that nobody has measured): then each letter would stand on a line of its own. */
  const output = through(terminal, {
    get columns() {
      return terminal.columns || USUAL
    },
    get rows() {
      return terminal.rows || USUAL_ROWS
    },
  })
  const wrapped = (text: string): string => wrapAnsi(text, Math.max(output.columns ?? USUAL, NARROWEST) - GUIDE, { hard: true })
  /** These are drawn as they are: the line at the left goes on beside every line of ours. */
  const guided = (text: string): string => wrapped(text).replaceAll('\n', `\n${clack.S_BAR}  `)

  /** One keyboard answers one question at a time, whoever asks. */
  let answered: Promise<unknown> = Promise.resolve()
  function take<Answer>(scene: Scene<Answer>): Promise<Answer | undefined> {
    const answer = answered.then(() => show(scene))
    answered = answer.catch(() => undefined)
    return answer
  }

  /** Has one prompt on the screen: the keyboard is read here, and what does not count is said beside the question. */
  async function show<Answer>({ question, signal, hearer, run }: Scene<Answer>): Promise<Answer | undefined> {
    if (signal.aborted || gone.signal.aborted) return undefined
    const over = new AbortController()
    const end = (): void => over.abort()
    const leave = (): void => {
      gone.abort()
      end()
    }
    const keys = new PassThrough()
    let redraw = (): void => undefined
    let told: string | undefined
    const screen = through(output, {
      on(event: string, listener: () => void) {
        if (event === 'resize') redraw = listener
        return output.on(event, listener)
      },
    })
    const hear = hearer({
      send: (text) => void keys.write(text),
      tell(sentence) {
        if (told === sentence) return
        told = sentence
        redraw()
      },
    })
    const keyboard = listen({ input, output }, (typed) => hear.take(typed), leave)
    signal.addEventListener('abort', end, { once: true })
    try {
      const answer = await run({
        input: keys,
        output: screen,
        signal: over.signal,
        question: () => (told === undefined ? question : `${question}\n! ${told}`),
        async whileChecking(check) {
          keyboard.pause()
          try {
            return await check()
          } finally {
            // Only after the prompt has heard of it: until then it takes no keys.
            setImmediate(() => keyboard.resume())
          }
        },
      })
      return typeof answer === 'symbol' || over.signal.aborted ? undefined : answer
    } finally {
      keyboard.stop()
      signal.removeEventListener('abort', end)
    }
  }

  const menuKeys = (marks: boolean) => (taker: KeyTaker) => new MenuKeys(taker, { marks, now })

  return {
    gone: gone.signal,
    rows: () => output.rows ?? USUAL_ROWS,
    grow: (title, onStop) => growText({ input, output }, wrapped(title), onStop),
    say: (text) => clack.log.message(wrapped(text), { output }),
    quote(text, title) {
      // A title that does not fit into the frame tears it.
      const isLong = wrapAnsi(title, Math.max(output.columns ?? USUAL, NARROWEST) - FRAME, { hard: true }).includes('\n')
      if (isLong) clack.log.message(wrapped(title), { output })
      clack.note(text, isLong ? '' : title, { output, format: (line) => line })
    },
    async choose(question, choices, { initial, signal }) {
      const answer = await take<string>({
        question,
        signal,
        hearer: menuKeys(false),
        run: ({ question: now, ...stage }) =>
          clack.select<string>({
            ...stage,
            options: choices.map(toOption),
            ...(initial !== undefined && { initialValue: initial }),
            get message() {
              return wrapped(now())
            },
          }),
      })
      return answer as (typeof choices)[number]['value'] | undefined
    },
    pick(question, choices, { initial, signal }) {
      return take<readonly string[]>({
        question,
        signal,
        hearer: menuKeys(true),
        run: ({ question: now, ...stage }) =>
          clack.multiselect<string>({
            ...stage,
            options: choices.map(toOption),
            initialValues: [...initial],
            required: false,
            get message() {
              return wrapped(now())
            },
          }),
      })
    },
    write(question, { initial, kind, signal, check }) {
      const characters = new WholeCharacters()
      const start = initial !== undefined && isPlain(initial, kind) ? { initialValue: characters.hide(initial) } : {}
      return take<string>({
        question,
        signal,
        hearer: (taker) => new TextKeys(taker, { kind: kind === 'lines' ? 'lines' : 'line', characters }),
        async run({ question: now, whileChecking, ...stage }) {
          const options = {
            ...stage,
            output: characters.screen(stage.output),
            validate(typed: string | undefined) {
              const text = characters.show(typed ?? '')
              if (hasHalfCharacter(text)) return guided(words.halfCharacter)
              return check && whileChecking(() => check(text)).then((fault) => (fault === undefined ? undefined : guided(fault)))
            },
            get message() {
              return guided(characters.hide(now()))
            },
          }
          const typed =
            kind === 'secret'
              ? await clack.password(options)
              : kind === 'lines'
                ? await clack.multiline(Object.assign(options, start, { showSubmit: true }))
                : await clack.text(Object.assign(options, start))
          // A line left blank comes back as undefined.
          return typeof typed === 'symbol' ? typed : characters.show(typed ?? '')
        },
      })
    },
  }
}

function toOption({ value, label, hint }: Choosable<string>): { value: string; label: string; hint?: string } {
  return { value, label, ...(hint !== undefined && { hint }) }
}
