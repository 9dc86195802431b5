import type { Prompts } from './prompts.ts'

/** What a test types: a value to choose, values to pick, a line to write, `undefined` for Ctrl-C, or Shift-Tab; 'stop' in front of an answer that grows. */
export type Typed = string | readonly string[] | undefined | typeof shiftTab

export const shiftTab: unique symbol = Symbol('Shift-Tab')

/** Prompts for tests: types what it is given, and remembers everything that was shown. */
export function scriptPrompts(typed: readonly Typed[]): { readonly prompts: Prompts; readonly shown: string[]; readonly left: Typed[] } {
  const shown: string[] = []
  const left = [...typed]
  const next = (onBack?: () => void): Exclude<Typed, symbol> => {
    if (left.length === 0) throw new Error(`nothing is left to type at: ${shown.at(-1)}`)
    const typed = left.shift()
    if (typed !== shiftTab) return typed
    if (onBack === undefined) throw new Error(`there is nothing to go back to at: ${shown.at(-1)}`)
    onBack()
    return undefined
  }
  const prompts: Prompts = {
    gone: new AbortController().signal,
    rows: () => 24,
    sayWhole: (text) => void shown.push(text),
    say: (text) => void shown.push(text),
    quote: (text, title) => void shown.push(`${title}: ${text}`),
    grow: (title, onStop) => {
      const at = shown.push(`${title}: `) - 1
      return {
        add(text) {
          shown[at] += text
          if (left[0] === 'stop') {
            left.shift()
            onStop()
          }
        },
        end: () => undefined,
      }
    },
    async choose(question, choices, { onBack }) {
      shown.push(`${question} [${choices.map(({ label }) => label).join(' | ')}]`)
      const value = next(onBack)
      if (value !== undefined && !choices.some((choice) => choice.value === value)) throw new Error(`there is no choice ${String(value)} at: ${shown.at(-1)}`)
      return value as (typeof choices)[number]['value'] | undefined
    },
    async confirm(question, { no, yes }) {
      shown.push(`${question} [${no} | ${yes}]`)
      const answer = next()
      return answer === undefined ? undefined : answer === 'yes'
    },
    async pick(question, choices, { onBack }) {
      shown.push(`${question} [${choices.map(({ label }) => label).join(' | ')}]`)
      return next(onBack) as readonly string[] | undefined
    },
    async write(question, { check, onBack }) {
      for (;;) {
        shown.push(question)
        const text = next(onBack) as string | undefined
        const fault = text === undefined ? undefined : await check?.(text)
        if (fault === undefined) return text
        shown.push(fault)
      }
    },
  }
  return { prompts, shown, left }
}
