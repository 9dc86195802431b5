import { matchPattern } from '../../elicitation/index.ts'
import type { Inbox } from '../../inbox/index.ts'
import type { Place } from '../place.ts'
import { createPrompts, type Prompts } from './prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

export interface OwnTerminalOptions {
  readonly endCall?: (() => void) | undefined
  readonly onAsking?: ((isAsking: boolean) => void) | undefined
  /** Those of a command that asks here itself. */
  readonly prompts?: Promise<Prompts> | undefined
}

/** Makes the terminal this command runs in a place where a person can be asked. @returns the function that takes it away */
export function attachOwnTerminal(inbox: Inbox, { stdin, stderr }: Place, options: OwnTerminalOptions = {}): () => void {
  const { endCall, onAsking } = options
  let { prompts } = options
  return attachTerminal(inbox, {
    prompts: () => (prompts ??= createPrompts({ input: stdin, output: stderr })),
    matchPattern,
    endCall,
    onAsking,
    onFault: (error) =>
      void stderr.write(`consentry: nobody can be asked in this terminal any more: ${error instanceof Error ? error.message : 'an error of ours'}\n`),
    openUrl: async (url) => {
      const { default: open } = await import('open')
      await open(url)
    },
  })
}
