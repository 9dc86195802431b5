import { PassThrough, type Writable } from 'node:stream'
import type { Typed } from './key-reader.ts'
import { listen, type Keyboard } from './keyboard.ts'
import { CTRL_C, type KeyTaker } from './menu-keys.ts'
import { through } from './whole-characters.ts'

export type Terminal = Writable & { readonly columns?: number | undefined; readonly rows?: number | undefined }

/** What a prompt runs on: keys that count, the screen, and its end. */
export interface Stage {
  readonly input: PassThrough
  readonly output: Terminal
  readonly signal: AbortSignal
  /** The question as it stands now, with what there is to say beside it. */
  readonly question: () => string
  /** Nothing is heard while an answer is checked: what is typed then comes afterwards. */
  readonly whileChecking: (check: () => Promise<string | undefined>) => Promise<string | undefined>
}

export interface Scene<Answer> {
  readonly question: string
  readonly signal: AbortSignal
  /** Runs where the person goes back to what was before: then this prompt has no answer. Absent: there is nothing before it. */
  readonly onBack?: (() => void) | undefined
  /** Who hears what is typed. */
  readonly hearer: (taker: KeyTaker) => { take(typed: Typed): void }
  readonly run: (stage: Stage) => Promise<Answer | symbol>
}

/**
 * Has one prompt on the screen at a time, whoever asks: the keyboard is read here, and what does not count is said beside the question.
 *
 * @returns what shows a prompt; its answer is undefined where it was left, or its signal was aborted
 */
export function createStage(
  { input, output }: { readonly input: Keyboard; readonly output: Terminal },
  gone: AbortController,
): <Answer>(scene: Scene<Answer>) => Promise<Answer | undefined> {
  let answered: Promise<unknown> = Promise.resolve()

  async function show<Answer>({ question, signal, onBack, hearer, run }: Scene<Answer>): Promise<Answer | undefined> {
    if (signal.aborted || gone.signal.aborted) return undefined
    const [over, shut] = [new AbortController(), new AbortController()]
    let isShown = true
    // Left as by Ctrl-C, so that it is drawn as one that was left; where no key is heard just now, it is only shut.
    const end = (): void => {
      if (over.signal.aborted) return
      over.abort()
      keys.write(CTRL_C)
      setImmediate(() => setImmediate(() => isShown && shut.abort()))
    }
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
      ...(onBack && {
        back() {
          if (over.signal.aborted) return
          onBack()
          end()
        },
      }),
    })
    const keyboard = listen({ input, output }, (typed) => hear.take(typed), leave)
    signal.addEventListener('abort', end, { once: true })
    try {
      const answer = await run({
        input: keys,
        output: screen,
        signal: shut.signal,
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
      isShown = false
      keyboard.stop()
      signal.removeEventListener('abort', end)
    }
  }

  return (scene) => {
    const answer = answered.then(() => show(scene))
    answered = answer.catch(() => undefined)
    return answer
  }
}
