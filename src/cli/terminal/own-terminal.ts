import { matchPattern } from '../../elicitation/index.ts'
import type { Inbox } from '../../inbox/index.ts'
import type { Place } from '../place.ts'
import { createPrompts } from './prompts.ts'
import { attachTerminal } from './terminal-surface.ts'

/** Makes the terminal this command runs in a place where a person can be asked. @returns the function that takes it away */
export function attachOwnTerminal(inbox: Inbox, { stdin, stderr }: Place, endCall?: () => void): () => void {
  let prompts: ReturnType<typeof createPrompts> | undefined
  return attachTerminal(inbox, {
    prompts: () => (prompts ??= createPrompts({ input: stdin, output: stderr })),
    matchPattern,
    endCall,
    openUrl: async (url) => {
      const { default: open } = await import('open')
      await open(url)
    },
  })
}
