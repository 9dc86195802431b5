import { reviewKinds, type Decision, type Review } from '../../protocol/index.ts'
import { sleep, systemClock } from '../../mcp/clock.ts'
import { ConsentryError } from '../../errors.ts'
import type { DecideResult, Inbox } from '../../inbox/index.ts'
import type { PatternMatcher } from '../../elicitation/index.ts'
import { askBudget } from './ask-budget.ts'
import { askCompletion } from './ask-completion.ts'
import { askFolders } from './ask-folders.ts'
import { askForm } from './ask-form.ts'
import { askKeptFolders } from './ask-kept-folders.ts'
import { askPrompt } from './ask-prompt.ts'
import { askSilentClient } from './ask-silent-client.ts'
import { askUrl, askUrlWait } from './ask-url.ts'
import type { Asking, FaultyDecision } from './asking.ts'
import type { Prompts } from './prompts.ts'
import { quoteBriefly } from './quote-briefly.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import { words } from './words.ts'

export const TERMINAL = 'terminal'

export interface TerminalNeeds {
  readonly prompts: () => Promise<Prompts>
  readonly matchPattern: PatternMatcher
  /** Opens an address in the system's browser. Rejects when it cannot. */
  readonly openUrl: (url: string) => Promise<void>
  /** Told when nobody can be asked here any more, because something of ours failed. Default: it is thrown. */
  readonly onFault?: ((error: unknown) => void) | undefined
  /** Ends what the server asks in the middle of: offered to somebody who closes one question after the other. */
  readonly endCall?: (() => void) | undefined
  /** Told when the screen is needed for questions, and when it is not any more: nobody else draws meanwhile. */
  readonly onAsking?: ((isAsking: boolean) => void) | undefined
}

/** Shows the reviews of an inbox on a terminal, one after the other, oldest first; what waits for somebody who is on a page lets others go before. @returns the function that takes the terminal away */
export function attachTerminal(inbox: Inbox, needs: TerminalNeeds): () => void {
  const detached = new AbortController()
  let isBusy = false
  let closedInARow = 0
  const takeAway = inbox.attach({ name: TERMINAL, kinds: reviewKinds })
  const stopListening = inbox.on('review-opened', () => void work().catch(fail))

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    needs.onAsking?.(true)
    try {
      for (let review = nextOf(inbox); review && !detached.signal.aborted; review = nextOf(inbox)) {
        const decision = await ask(inbox, review, needs, detached.signal)
        // What was decided may end the call: what else it asks is not drawn only to be taken away again.
        if (decision && nextOf(inbox)?.origin.connection === review.origin.connection)
          await sleep(systemClock, MOMENT_MS, detached.signal).catch(() => undefined)
        // Nobody is there any more: that is no decision, of this question or of any other.
        if ((await needs.prompts()).gone.aborted) return detach()
        closedInARow = decision?.action === 'cancel' ? closedInARow + 1 : 0
        if (closedInARow === 2) await offerWayOut(inbox, review, needs, detached.signal)
        closedInARow %= 2
      }
    } finally {
      isBusy = false
      needs.onAsking?.(false)
    }
  }

  /** Questions that nobody sees must not wait: they end as nobody's. */
  function fail(error: unknown): void {
    detach()
    if (needs.onFault === undefined) throw error
    needs.onFault(error)
  }

  function detach(): void {
    detached.abort()
    stopListening()
    takeAway()
  }

  return detach
}

/** What a server, and the log, take to act on a decision; nobody notices it. */
const MOMENT_MS = 200

/** As many as one server may have waiting are looked through. */
const LOOKED_THROUGH = 50

function nextOf(inbox: Inbox): Review | undefined {
  const waiting = inbox.list({ limit: LOOKED_THROUGH })
  return waiting.find(({ kind }) => kind !== 'url-wait') ?? waiting[0]
}

/** A server may ask for ever; a person must have a way out. */
async function offerWayOut(inbox: Inbox, { origin }: Review, { prompts: open, endCall }: TerminalNeeds, signal: AbortSignal): Promise<void> {
  if (!inbox.canReview('form', origin.server)) return
  const prompts = await open()
  const server = safeText(origin.server.name, { maximum: 60 })
  const choices = [
    { value: 'on' as const, label: words.goOn },
    { value: 'stop' as const, label: words.stopAsking(server), hint: words.stopAskingHint },
    ...(endCall ? [{ value: 'end' as const, label: words.endCall }] : []),
  ]
  const chosen = await prompts.choose(words.askedTwice(server), choices, { initial: 'on', signal })
  if (signal.aborted) return
  if (chosen === 'stop') inbox.mute(origin.server)
  else if (chosen !== 'on') endCall?.()
}

/** One answer stands for several questions that read the same only where a person says so. */
async function offerSame(inbox: Inbox, same: readonly Review[], decision: Decision, server: string, prompts: Prompts, signal: AbortSignal): Promise<void> {
  const waiting = same.filter(({ id }) => inbox.get(id))
  if (waiting.length === 0 || (decision.action === 'cancel' && decision.stopAsking)) return
  const choices = [
    { value: 'each' as const, label: words.sameNot },
    { value: 'all' as const, label: words.sameAnswer },
  ]
  const chosen = await prompts.choose(words.sameWaiting(waiting.length, server), choices, { initial: 'each', signal })
  if (chosen === 'all') for (const { id } of waiting) await take(inbox, id, decision, prompts)
}

/** Decides, where what is decided can be written down. @returns undefined where it cannot: that was said, and the question waits on */
async function take(inbox: Inbox, id: string, decision: Decision, prompts: Prompts): Promise<DecideResult | undefined> {
  try {
    return await inbox.decide(id, decision, TERMINAL)
  } catch (error) {
    if (!(error instanceof ConsentryError) || error.code !== 'AUDIT_UNAVAILABLE') throw error
    prompts.say(safeText(error.message))
    return undefined
  }
}

/** Asks until the review has ended: a decision with faults is asked for again. @returns the last decision; undefined where the review ended by itself */
async function ask(inbox: Inbox, review: Review, needs: TerminalNeeds, detached: AbortSignal): Promise<Decision | undefined> {
  const ended = new AbortController()
  const server = safeText(review.origin.server.name, { maximum: 60 })
  const prompts = quoteBriefly(await needs.prompts())
  let hasTyped = false
  const write: Prompts['write'] = async (question, options) => {
    const onTyped = (): void => {
      hasTyped ||= options.kind !== 'secret'
      options.onTyped?.()
    }
    try {
      return await prompts.write(question, { ...options, onTyped })
    } finally {
      hasTyped = false
    }
  }
  const stopMakingWay = inbox.on('review-opened', (other) => {
    if (review.kind === 'url-wait' && other.kind !== 'url-wait') ended.abort()
  })
  const stopListening = inbox.on('review-closed', ({ review: closed, settlement }) => {
    if (closed.id !== review.id || ended.signal.aborted) return
    ended.abort()
    if (settlement.outcome === 'decided' || prompts.gone.aborted) return
    const reason = settlement.outcome === 'withdrawn' ? safeText(settlement.reason) : settlement.outcome
    if (settlement.outcome === 'withdrawn' && settlement.failure) prompts.say(words.nothingToDecide(reason))
    else prompts.say(review.kind === 'url-wait' ? words.visitOver(server, reason) : words.withdrawn(server, reason))
    const kept = review.kind === 'form' ? JSON.stringify(review.draft.value) : '{}'
    if (kept !== '{}') prompts.say(words.notSent(safeText(kept, { maximum: MOST_READ })))
    if (hasTyped) prompts.say(words.notKept)
  })
  const onChanged = (listener: () => void): (() => void) => inbox.on('review-changed', ({ id }) => id === review.id && listener())
  try {
    if (inbox.size > 1) prompts.say(words.moreWaiting(inbox.size - 1))
    let before: FaultyDecision | undefined
    while (inbox.get(review.id)) {
      const decision = await decide(review, { ...needs, prompts: { ...prompts, write }, signal: ended.signal, onChanged, server, before })
      if (ended.signal.aborted || prompts.gone.aborted) return undefined
      const same = inbox.sameAs(review.id)
      const result = await take(inbox, review.id, decision, prompts)
      if (result === undefined) before = { decision, faults: [] }
      if (result?.status === 'decided') {
        await offerSame(inbox, same, decision, server, prompts, detached)
        return decision
      }
      if (result?.status !== 'faulty') continue
      before = { decision, faults: result.faults }
      prompts.say([words.askedAgain, ...result.faults.map(({ field, message }) => `  ${safeText(field, { maximum: 60 })}: ${safeText(message)}`)].join('\n'))
    }
    return undefined
  } finally {
    stopListening()
    stopMakingWay()
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
    case 'budget':
      return askBudget(review, asking)
    case 'folders':
      return askFolders(review, asking)
    case 'kept-folders':
      return askKeptFolders(review, asking)
    case 'silent-client':
      return askSilentClient(review, asking)
    default:
      return review satisfies never
  }
}
