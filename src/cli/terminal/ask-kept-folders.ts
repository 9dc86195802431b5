import type { Decision, Review } from '../../protocol/index.ts'
import type { Asking } from './asking.ts'
import { safeText } from './safe-text.ts'
import { describeTarget, headline, words } from './words.ts'

/** A server may go on in folders that it should know no longer: what is to be done, and is that for the next time too? */
export async function askKeptFolders({ origin, subject }: Review<'kept-folders'>, { prompts, signal }: Asking): Promise<Decision<'kept-folders'>> {
  const known = subject.known.map((uri) => `  ${safeText(uri, { maximum: Infinity })}`)
  prompts.say(
    [
      headline('kept-folders', origin, 0),
      describeTarget(origin.server.target),
      words.keptBecause[subject.done === 'stand-in' ? 'stand-in-told' : subject.reason],
      ...known,
      ...(subject.fault === undefined ? [] : [`! ${words.notRestarted(safeText(subject.fault))}`]),
    ].join('\n'),
  )
  const isTold = subject.done === 'stand-in'
  const standIn = subject.reason === 'none-told' && !isTold ? [{ value: 'stand-in' as const, label: words.tellStandIn, hint: words.tellStandInHint }] : []
  const restart = subject.canRestart ? [{ value: 'restart' as const, label: words.restartServer, hint: words.restartServerHint }] : []
  const leave = isTold
    ? { value: 'stand-in' as const, label: words.keepStandIn, hint: words.keepStandInHint }
    : { value: 'leave' as const, label: words.leaveServer, hint: words.leaveServerHint }
  const end = subject.fault === undefined ? [] : [{ value: 'end' as const, label: words.endServer, hint: words.endServerHint }]
  const action = await prompts.choose(words.howToGoOn, [...standIn, ...restart, ...end, leave], { initial: leave.value, signal })
  if (action === undefined) return { action: 'cancel' }
  if (action === 'end') return { action }
  const when = [
    { value: 'once' as const, label: words.forThisTime },
    { value: 'always' as const, label: words.forThisServer },
  ]
  const kept = await prompts.choose(words.rememberThis, when, { initial: 'once', signal })
  if (kept === undefined) return { action: 'cancel' }
  return kept === 'always' ? { action, remember: {} } : { action }
}
