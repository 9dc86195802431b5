import type { Decision, Review, UrlCard } from '../../protocol/index.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import { aboutQuestion } from './about-question.ts'
import type { Asking } from './asking.ts'
import { headline, words } from './words.ts'

const CANCEL = { action: 'cancel' } as const

/** A URL: the whole address, its host, every warning; nothing is opened or fetched before the person says so. */
export async function askUrl(review: Review<'url'>, { prompts, signal, server, openUrl }: Asking): Promise<Decision<'url'>> {
  const { message, card } = review.subject
  prompts.say(aboutQuestion(review))
  prompts.quote(safeText(message, { lines: true, maximum: MOST_READ }), words.serverSays(server), 'beginning')
  prompts.quote(
    [...describeHost(card), fullUrl(card), ...card.warnings.map(({ sentence, quiet }) => `${quiet ? '-' : '!'} ${safeText(sentence)}`)].join('\n'),
    words.willBeOpened,
  )
  const chosen = await prompts.choose(
    words.howToGoOn,
    [
      { value: 'open', label: words.openBrowser },
      { value: 'myself', label: words.openMyself },
      { value: 'decline', label: words.decline, hint: words.declineHint },
      { value: 'cancel', label: words.cancel, hint: words.cancelHint },
      ...(review.asked.times > 1 ? [{ value: 'stop', label: words.stopAsking(server), hint: words.stopAskingHint }] : []),
    ],
    { initial: 'cancel', signal },
  )
  if (chosen === 'decline') return { action: 'decline' }
  if (chosen === 'stop') return { action: 'cancel', stopAsking: true }
  if (chosen !== 'open' && chosen !== 'myself') return CANCEL
  // Where there is no browser this fails without a word, so that the address always stands there too, in one piece.
  if (chosen === 'open') await openUrl(card.url).catch(() => undefined)
  prompts.say(chosen === 'open' ? words.opened : words.addressToCopy)
  prompts.sayWhole(fullUrl(card))
  return { action: 'accept' }
}

/** After consent: the person is out there; the server may report completion first, which ends the review. */
export async function askUrlWait({ origin, subject: { cards } }: Review<'url-wait'>, { prompts, signal, server }: Asking): Promise<Decision<'url-wait'>> {
  prompts.say([headline('url-wait', origin, 0), words.waitEndsItself(server)].join('\n'))
  for (const card of cards) prompts.sayWhole(fullUrl(card))
  const chosen = await prompts.choose(
    words.howToGoOn,
    [
      { value: 'continue', label: words.doneThere, hint: words.doneThereHint },
      { value: 'cancel', label: words.cancel, hint: words.cancelWaitHint(origin.call?.kind === 'one-of') },
    ],
    { signal },
  )
  return chosen === 'continue' ? { action: 'continue' } : CANCEL
}

function describeHost({ host, unicodeHost, site }: UrlCard): readonly string[] {
  const spelled = unicodeHost === undefined ? [] : [words.urlUnicodeHost(safeText(unicodeHost))]
  return [words.urlHost(safeText(host)), ...spelled, ...(site === host ? [] : [words.urlSite(safeText(site))])]
}

/** Never cut: what is hidden cannot be consented to. */
function fullUrl({ url }: UrlCard): string {
  return safeText(url, { maximum: Infinity })
}
