import type { Decision, Review } from '../../protocol/index.ts'
import { safeText } from './safe-text.ts'
import type { Asking } from './terminal-surface.ts'
import { describeTarget, headline, words } from './words.ts'

/** The first time a server wants folders: which of the proposed ones may it know? */
export async function askFolders({ origin, subject: { proposed } }: Review<'folders'>, { prompts, signal }: Asking): Promise<Decision<'folders'>> {
  prompts.say(`${headline('folders', origin, 0)}\n${describeTarget(origin.server.target)}`)
  const choices = proposed.map(({ path, name, status }, index) => ({
    value: String(index),
    label: safeText(path, { maximum: Infinity }),
    hint: [name, status === 'ok' ? undefined : status].filter((text) => text !== undefined).join(', ') || undefined,
  }))
  const picked = await prompts.pick(words.chooseFolders, choices, { initial: [], signal })
  if (picked === undefined) return { action: 'cancel' }
  const roots = picked.map((index) => proposed[Number(index)]!)
  if (roots.length > 0) prompts.quote(roots.map(({ path }) => safeText(path, { maximum: Infinity })).join('\n'), words.pathsToTell)
  const chosen = await prompts.choose(
    words.howToGoOn,
    [
      ...(roots.length > 0 ? [{ value: 'tell' as const, label: words.tell }] : []),
      { value: 'deny' as const, label: words.deny },
      { value: 'cancel' as const, label: words.cancel, hint: words.cancelHint },
    ],
    { initial: 'cancel', signal },
  )
  if (chosen === 'tell') return { action: 'grant', roots: roots.map(({ path, name }) => ({ path, name })) }
  return { action: chosen === 'deny' ? 'deny' : 'cancel' }
}
