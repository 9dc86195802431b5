import { hasHalfCharacter } from '../../protocol/json.ts'
import { growText, type GrowingText } from './grow-text.ts'
import { ConfirmKeys } from './confirm-keys.ts'
import type { Keyboard } from './keyboard.ts'
import { MenuKeys, type KeyTaker } from './menu-keys.ts'
import { isPlain } from './safe-text.ts'
import { createStage, type Scene, type Terminal } from './stage.ts'
import { TextKeys } from './text-keys.ts'
import { through, WholeCharacters } from './whole-characters.ts'
import { words } from './words.ts'
import { wrapChoice, wrapText } from './wrap-text.ts'

export interface Choosable<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string | undefined
}

export interface Showing {
  readonly signal: AbortSignal
  /** Runs where the person goes back with Shift-Tab: then there is no answer. Absent: there is nothing to go back to. */
  readonly onBack?: (() => void) | undefined
}

/**
 * The ways a person can be asked on a terminal. Every answer may be `undefined`: the person went back, or pressed Ctrl-C, the signal was aborted, or the
 * terminal is gone.
 */
export interface Prompts {
  /** Aborted when the terminal was closed: nobody is there any more, and no answer that comes then is a person's. */
  readonly gone: AbortSignal
  /** Lines that can be seen at once. */
  rows(): number
  /** A block of ours. */
  say(text: string): void
  /** A line of ours that is not wrapped, nor has anything beside it: to be copied as it is. */
  sayWhole(text: string): void
  /** A block with somebody else's words in it, under their name. Of long ones that nobody answers for, the beginning can be enough: see `quoteBriefly`. */
  quote(text: string, title: string, extent?: 'all' | 'beginning'): void
  choose<Value extends string>(
    question: string,
    choices: readonly Choosable<Value>[],
    options: Showing & { readonly initial?: Value | undefined },
  ): Promise<Value | undefined>
  /** Whether what somebody has just ordered is to be done: a menu of No, which is marked, and Yes, where both may be typed as well. Nothing that a server asks. */
  confirm(question: string, answers: { readonly no: string; readonly yes: string }, options: Pick<Showing, 'signal'>): Promise<boolean | undefined>
  pick(
    question: string,
    choices: readonly Choosable<string>[],
    options: Showing & { readonly initial: readonly string[] },
  ): Promise<readonly string[] | undefined>
  write(question: string, options: WriteOptions): Promise<string | undefined>
  /** A text that grows under a title. @param onStop runs when the person presses Ctrl-C, which stops it and nothing else */
  grow(title: string, onStop: () => void): GrowingText
}

export interface WriteOptions extends Showing {
  readonly initial?: string | undefined
  readonly kind: 'line' | 'lines' | 'secret'
  /** What is wrong with a text: it is said where the text stands, which can be mended then. */
  readonly check?: ((text: string) => Promise<string | undefined>) | undefined
  /** Told what stood there where the person leaves with Ctrl-C or goes back. */
  readonly onLeft?: ((text: string) => void) | undefined
  /** Runs whenever something is typed. */
  readonly onTyped?: (() => void) | undefined
}

/** Columns that are always there, and what the line at the left takes of them. */
const NARROWEST = 40
const USUAL = 80
const GUIDE = 4
/** What the frame of a quotation takes of each line, and of its title's. */
const FRAME = 6
const TITLE_FRAME = 8
/** What the sign before a choice takes, with colours that are counted as if they were seen. */
const CHOICE = 16
const USUAL_ROWS = 24

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
  const clack = await import('@clack/prompts')
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
  const wrapped = (text: string, taken = GUIDE): string => wrapText(text, Math.max(output.columns ?? USUAL, NARROWEST) - taken)
  /** These are drawn as they are: the line at the left goes on beside every line of ours, and stops above the last ones. */
  const guided = (text: string): string => wrapped(text).replaceAll('\n', `\n${clack.S_BAR}  `)
  const below = (text: string): string => wrapped(text).replaceAll('\n', '\n   ')
  const toOption = ({ value, label, hint }: Choosable<string>): { value: string; label: string; hint?: string } => ({
    value,
    ...wrapChoice(label, hint, Math.max(output.columns ?? USUAL, NARROWEST) - CHOICE),
  })
  const take = createStage({ input, output }, gone)
  const menuKeys = (marks: boolean) => (taker: KeyTaker) => new MenuKeys(taker, { marks, now })

  const select = (scene: Omit<Scene<string>, 'run'>, choices: readonly Choosable<string>[], initial: string | undefined): Promise<string | undefined> =>
    take<string>({
      ...scene,
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

  return {
    gone: gone.signal,
    rows: () => output.rows ?? USUAL_ROWS,
    grow: (title, onStop) => growText({ input, output }, wrapped(title), onStop),
    say: (text) => clack.log.message(wrapped(text), { output }),
    sayWhole: (text) => void output.write(`${clack.S_BAR}\n${text}\n`),
    quote(text, title) {
      // A title that does not fit into the frame tears it.
      const isLong = wrapped(title, TITLE_FRAME).includes('\n')
      if (isLong) clack.log.message(wrapped(title), { output })
      clack.note(wrapped(text, FRAME), isLong ? '' : title, { output, format: (line) => line })
    },
    async choose(question, choices, { initial, ...showing }) {
      return (await select({ ...showing, question, hearer: menuKeys(false) }, choices, initial)) as (typeof choices)[number]['value'] | undefined
    },
    async confirm(question, { no, yes }, { signal }) {
      const choices = [
        { value: 'no', label: no },
        { value: 'yes', label: yes },
      ]
      const hearer = (taker: KeyTaker): ConfirmKeys => new ConfirmKeys(taker, { now })
      const answer = await select({ question: `${question} ${words.yesOrNo}`, signal, hearer }, choices, 'no')
      return answer === undefined ? undefined : answer === 'yes'
    },
    pick(question, choices, { initial, signal, onBack }) {
      return take<readonly string[]>({
        question,
        signal,
        onBack,
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
    write(question, { initial, kind, signal, check, onBack, onLeft, onTyped }) {
      const characters = new WholeCharacters()
      let isLeaving = false
      const onLeave = onLeft && ((): void => void (isLeaving = true))
      const start = initial !== undefined && isPlain(initial, kind) ? { initialValue: characters.hide(initial) } : {}
      return take<string>({
        question,
        signal,
        onBack,
        hearer: (taker) => new TextKeys(taker, { kind: kind === 'lines' ? 'lines' : 'line', characters, onTyped, onLeave }),
        async run({ question: now, whileChecking, ...stage }) {
          const options = {
            ...stage,
            output: characters.screen(stage.output),
            validate(typed: string | undefined) {
              const text = characters.show(typed ?? '')
              if (isLeaving) {
                onLeft?.(text)
                return ' '
              }
              if (hasHalfCharacter(text)) return below(words.halfCharacter)
              return check && whileChecking(() => check(text)).then((fault) => (fault === undefined ? undefined : below(fault)))
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
