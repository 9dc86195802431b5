import type { Decision, Review } from '../../protocol/index.ts'
import type { Asking } from './asking.ts'
import { describeEstimate, describeLimit, raiseWords } from './spending-words.ts'
import { safeText } from './safe-text.ts'
import { describeTarget, headline, words } from './words.ts'

/** What a server may spend is used up: raise, wait or stop? */
export async function askBudget(
  { origin, subject: { limits, wanted, choice } }: Review<'budget'>,
  { prompts, signal, server }: Asking,
): Promise<Decision<'budget'>> {
  const asked = words.wantsToSpend(safeText(choice.model, { maximum: 80 }), describeEstimate(wanted))
  prompts.say([headline('budget', origin, 0), describeTarget(origin.server.target), asked, ...limits.map((limit) => describeLimit(limit))].join('\n'))
  const isOfDay = limits.some(({ limit }) => limit.endsWith('Day'))
  const chosen = await prompts.choose(
    words.howToGoOn,
    [
      { value: 'wait', label: words.waitForBudget, hint: words.waitForBudgetHint(server) },
      { value: 'raise', label: words.raiseBudget, hint: isOfDay ? raiseWords.inRun : words.raiseBudgetHint },
      ...(isOfDay ? ([{ value: 'raise-day', label: raiseWords.forDay, hint: raiseWords.forDayHint }] as const) : []),
      { value: 'stop', label: words.stopForRun(server) },
      { value: 'never', label: words.stopForGood(server) },
      { value: 'cancel', label: words.cancel, hint: words.cancelHint },
    ],
    { initial: 'wait', signal },
  )
  switch (chosen) {
    case 'wait':
    case 'raise':
    case 'stop':
      return { action: chosen }
    case 'raise-day':
      return { action: 'raise', lasts: 'day' }
    case 'never':
      return { action: 'stop', remember: { for: 'always' } }
    case 'cancel':
    case undefined:
      return { action: 'cancel' }
    default:
      return chosen satisfies never
  }
}
