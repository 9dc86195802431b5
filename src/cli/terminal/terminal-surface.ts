import { reviewKinds, type Decision, type Review } from '../../protocol/index.ts'
import type { Inbox } from '../../inbox/index.ts'
import type { PatternMatcher } from '../../elicitation/index.ts'
import { askCompletion } from './ask-completion.ts'
import { askFolders } from './ask-folders.ts'
import { askForm } from './ask-form.ts'
import { askPrompt } from './ask-prompt.ts'
import { askUrl, askUrlWait } from './ask-url.ts'
import type { Asking, FaultyDecision } from './asking.ts'
import type { Prompts } from './prompts.ts'
import { safeText } from './safe-text.ts'
import { words } from './words.ts'

export const TERMINAL = 'terminal'

export interface TerminalNeeds {
  readonly prompts: () => Promise<Prompts>
  readonly matchPattern: PatternMatcher
  /** Opens an address in the system's browser. Rejects when it cannot. */
  readonly openUrl: (url: string) => Promise<void>
}

/** Shows the reviews of an inbox on a terminal, one after the other, oldest first. @returns the function that takes the terminal away */
export function attachTerminal(inbox: Inbox, needs: TerminalNeeds): () => void {
  let isBusy = false
  let isDetached = false
  const detach = inbox.attach({ name: TERMINAL, kinds: reviewKinds })
  const stopListening = inbox.on('review-opened', () => void work())

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    try {
      for (let [review] = inbox.list({ limit: 1 }); review && !isDetached; [review] = inbox.list({ limit: 1 })) await ask(inbox, review, needs)
    } finally {
      isBusy = false
    }
  }

  return () => {
    isDetached = true
    stopListening()
    detach()
  }
}

/** Asks until the review has ended: a decision with faults is asked for again. */
async function ask(inbox: Inbox, review: Review, needs: TerminalNeeds): Promise<void> {
  const ended = new AbortController()
  const server = safeText(review.origin.server.name, { maximum: 60 })
  const prompts = await needs.prompts()
  const stopListening = inbox.on('review-closed', ({ review: closed, settlement }) => {
    if (closed.id !== review.id || ended.signal.aborted) return
    ended.abort()
    if (settlement.outcome !== 'decided')
      prompts.say(words.withdrawn(server, settlement.outcome === 'withdrawn' ? safeText(settlement.reason) : settlement.outcome))
  })
  try {
    if (inbox.size > 1) prompts.say(words.moreWaiting(inbox.size - 1))
    let before: FaultyDecision | undefined
    while (inbox.get(review.id)) {
      const decision = await decide(review, { ...needs, prompts, signal: ended.signal, server, before })
      if (ended.signal.aborted) return
      const result = await inbox.decide(review.id, decision, TERMINAL)
      if (result.status !== 'faulty') continue
      before = { decision, faults: result.faults }
      prompts.say([words.askedAgain, ...result.faults.map(({ field, message }) => `  ${safeText(field, { maximum: 60 })}: ${safeText(message)}`)].join('\n'))
    }
  } finally {
    stopListening()
  }
}

function decide(review: Review, asking: Asking): Promise<Decision> {
  switch (review.kind) {
    case 'form':
      return askForm(review, asking)
    case 'url':
      return askUrl(review, asking)
    case 'url-wait':
      return askUrlWait(review, asking)
    case 'prompt':
      return askPrompt(review, asking)
    case 'completion':
      return askCompletion(review, asking)
    case 'folders':
      return askFolders(review, asking)
    default:
      return review satisfies never
  }
}
