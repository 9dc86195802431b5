import type { Decision, Review } from '../../protocol/index.ts'
import type { Asking } from './asking.ts'
import { safeText } from './safe-text.ts'
import { describeTarget, headline, words } from './words.ts'

/** A client that said that it answers what a server asks, and does not seem to show it to anybody: who answers from now on? */
export async function askSilentClient({ origin, subject }: Review<'silent-client'>, { prompts, signal }: Asking): Promise<Decision<'silent-client'>> {
  const client = origin.client === undefined ? 'The client' : safeText(origin.client, { maximum: 60 })
  prompts.say(
    [headline('silent-client', origin, 0), describeTarget(origin.server.target), words.silentBecause[subject.feature][subject.reason](client)].join('\n'),
  )
  const ways = [
    { value: 'take-over' as const, label: words.takeOver, hint: words.takeOverHint },
    // Without a name it could not be known again.
    ...(origin.client === undefined ? [] : [{ value: 'always' as const, label: words.takeOverAlways, hint: words.takeOverAlwaysHint }]),
    { value: 'leave' as const, label: words.leaveClient, hint: words.leaveClientHint },
  ]
  const action = await prompts.choose(words.howToGoOn, ways, { initial: 'leave', signal })
  if (action === undefined) return { action: 'cancel' }
  return action === 'always' ? { action: 'take-over', always: true } : { action }
}
