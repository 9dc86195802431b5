import type { Readable, Writable } from 'node:stream'
import { hasHalfCharacter } from '../../protocol/json.ts'
import { growText, type GrowingText } from './grow-text.ts'
import { WholeCharacters } from './whole-characters.ts'
import { words } from './words.ts'
import { isPlain } from './write-from.ts'

export interface Choosable<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string | undefined
}

/** The ways a person can be asked on a terminal. Every answer may be `undefined`: the person pressed Ctrl-C, or the signal was aborted. */
export interface Prompts {
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
  write(
    question: string,
    options: { readonly initial?: string | undefined; readonly kind: 'line' | 'lines' | 'secret'; readonly signal: AbortSignal },
  ): Promise<string | undefined>
  /** A text that grows under a title. @param onStop runs when the person presses Ctrl-C, which stops it and nothing else */
  grow(title: string, onStop: () => void): GrowingText
}

/** Columns that are always there, and what the line at the left takes of them. */
const NARROWEST = 40
const USUAL = 80
const GUIDE = 4

type Terminal = Writable & { readonly columns?: number | undefined }

interface Lines {
  readonly message: string
  readonly signal: AbortSignal
  readonly initialValue?: string
  readonly validate: (text: string | undefined) => string | undefined
}

/** Prompts over @clack/prompts, which is loaded with the first question. Everything goes to `output`, so that stdout stays free for results. */
export async function createPrompts({ input, output }: { readonly input: Readable; readonly output: Terminal }): Promise<Prompts> {
  const [clack, { wrapAnsi }] = await Promise.all([import('@clack/prompts'), import('fast-wrap-ansi')])
  const wrapped = (text: string): string => wrapAnsi(text, Math.max(output.columns || USUAL, NARROWEST) - GUIDE)
  /** These are drawn as they are: the line at the left goes on beside every line of ours. */
  const guided = (text: string): string => wrapped(text).replaceAll('\n', `\n${clack.S_BAR}  `)
  const given = <Value>(answer: Value | typeof clack.CANCEL_SYMBOL): Value | undefined => (clack.isCancel(answer) ? undefined : answer)
  const writeLines = async ({ message, initialValue, ...options }: Lines): Promise<string | typeof clack.CANCEL_SYMBOL> => {
    const characters = new WholeCharacters()
    const answer = await clack.multiline({
      ...options,
      showSubmit: true,
      message: characters.hide(message),
      input: characters.keyboard(input),
      output: characters.screen(output),
      ...(initialValue !== undefined && { initialValue: characters.hide(initialValue) }),
    })
    return typeof answer === 'string' ? characters.show(answer) : answer
  }
  return {
    grow: (title, onStop) => growText({ input, output }, wrapped(title), onStop),
    say: (text) => clack.log.message(wrapped(text), { output }),
    quote: (text, title) => clack.note(text, title, { output, format: (line) => line }),
    async choose(question, choices, { initial, signal }) {
      const options = choices.map(({ value, label, hint }) => ({ value: value as string, label, ...(hint !== undefined && { hint }) }))
      const answer = await clack.select<string>({
        message: wrapped(question),
        options,
        input,
        output,
        signal,
        ...(initial !== undefined && { initialValue: initial }),
      })
      return given(answer) as (typeof choices)[number]['value'] | undefined
    },
    async pick(question, choices, { initial, signal }) {
      const options = choices.map(({ value, label, hint }) => ({ value, label, ...(hint !== undefined && { hint }) }))
      return given(
        await clack.multiselect<string>({ message: wrapped(question), options, initialValues: [...initial], required: false, input, output, signal }),
      )
    },
    async write(question, { initial, kind, signal }) {
      const start = initial !== undefined && isPlain(initial, kind) ? { initialValue: initial } : {}
      const validate = (text: string | undefined): string | undefined => (hasHalfCharacter(text ?? '') ? words.halfCharacter : undefined)
      const common = { message: guided(question), input, output, signal, validate }
      const answer =
        kind === 'secret'
          ? await clack.password(common)
          : kind === 'lines'
            ? await writeLines({ ...common, ...start })
            : await clack.text({ ...common, ...start })
      // A line left blank comes back as undefined; only Ctrl-C and an aborted signal are a cancel.
      return clack.isCancel(answer) || signal.aborted ? undefined : (answer ?? '')
    },
  }
}
