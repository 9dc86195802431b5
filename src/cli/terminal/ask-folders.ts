import type { Decision, GrantedFolder, ProposedFolder, Review } from '../../protocol/index.ts'
import { safeText } from './safe-text.ts'
import type { Asking, FaultyDecision } from './asking.ts'
import { describeTarget, headline, words } from './words.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const OTHER = 'other'

/** The first time a server wants folders: which may it know, and for how long is that said? */
export async function askFolders({ origin, subject: { proposed } }: Review<'folders'>, asking: Asking): Promise<Decision<'folders'>> {
  const { prompts, before } = asking
  const confirmed = before && (await askToConfirm(before, asking))
  if (confirmed) return confirmed

  prompts.say(`${headline('folders', origin, 0)}\n${describeTarget(origin.server.target)}\n${words.onlyTold}`)
  for (const folder of proposed) prompts.say(describe(folder))
  for (;;) {
    const roots = await pickFolders(proposed, asking)
    const decision = roots === undefined ? ({ action: 'cancel' } as const) : await askHow(roots, proposed, asking)
    if (decision !== undefined) return decision
  }
}

/** Folders that were chosen before and have a warning; undefined where something else was wrong, or the person thinks better of it. */
async function askToConfirm({ decision, faults }: FaultyDecision, { prompts, signal }: Asking): Promise<Decision<'folders'> | undefined> {
  if (decision.action !== 'grant' || faults.some(({ problem }) => problem !== 'folder-unconfirmed')) return undefined
  const choices = [
    { value: 'again' as const, label: words.chooseFoldersAgain },
    { value: 'tell' as const, label: words.tellAllTheSame },
  ]
  const chosen = await prompts.choose(words.allTheSame, choices, { initial: 'again', signal })
  if (chosen === undefined) return { action: 'cancel' }
  const warned = new Set(faults.map(({ field }) => field))
  return chosen === 'again' ? undefined : { ...decision, roots: decision.roots.map((root) => (warned.has(root.path) ? { ...root, confirmed: true } : root)) }
}

async function pickFolders(proposed: readonly ProposedFolder[], asking: Asking): Promise<readonly GrantedFolder[] | undefined> {
  const { prompts, signal } = asking
  const offered = proposed.filter(({ status }) => status === 'ok')
  if (offered.length === 0) return typeFolders(words.typeFolder, asking)
  const choices = offered.map(({ path, name }, index) => ({ value: String(index), label: shown(path), hint: name && safeText(name, { maximum: 60 }) }))
  const picked = await prompts.pick(words.chooseFolders, [...choices, { value: OTHER, label: words.anotherFolder }], { initial: [], signal })
  if (picked === undefined) return undefined
  const typed = picked.includes(OTHER) ? await typeFolders(words.typeFolder, asking) : []
  return typed && [...offered.filter((_, index) => picked.includes(String(index))).map(({ path, name }) => ({ path, name })), ...typed]
}

async function typeFolders(question: string, { prompts, signal }: Asking): Promise<readonly GrantedFolder[] | undefined> {
  const folders: GrantedFolder[] = []
  for (;;) {
    const path = await prompts.write(folders.length === 0 ? question : words.typeNextFolder, { kind: 'line', signal })
    if (path === undefined) return undefined
    if (path.trim() === '') return folders
    folders.push({ path: path.trim() })
  }
}

/** @returns undefined where the person wants to choose again */
async function askHow(
  roots: readonly GrantedFolder[],
  proposed: readonly ProposedFolder[],
  { prompts, signal, server }: Asking,
): Promise<Decision<'folders'> | undefined> {
  if (roots.length > 0) {
    const seen = roots.map(({ path }) => proposed.find((folder) => folder.path === path)?.uri ?? path)
    prompts.quote(seen.map(shown).join('\n'), words.willBeTold(server))
  }
  const choices = [
    { value: 'run' as const, label: words.tellForRun },
    { value: 'days' as const, label: words.tellForDays(DAYS) },
    { value: 'always' as const, label: words.tellAlways },
    { value: 'again' as const, label: words.backToFolders },
    { value: 'deny' as const, label: words.denyFolders },
    { value: 'never' as const, label: words.denyAlways },
    { value: 'cancel' as const, label: words.cancel, hint: words.cancelHint },
  ]
  const chosen = await prompts.choose(words.howToGoOn, roots.length > 0 ? choices : choices.slice(3), {
    initial: roots.length > 0 ? 'cancel' : 'again',
    signal,
  })
  switch (chosen) {
    case 'run':
      return { action: 'grant', roots }
    case 'days':
      return { action: 'grant', roots, remember: { until: Date.now() + DAYS * DAY_MS } }
    case 'always':
      return { action: 'grant', roots, remember: {} }
    case 'again':
      return undefined
    case 'deny':
      return { action: 'deny' }
    case 'never':
      return { action: 'deny', remember: {} }
    case 'cancel':
    case undefined:
      return { action: 'cancel' }
    default:
      return chosen satisfies never
  }
}

/** Everything there is to say about a folder, a line each. */
function describe({ path, uri, why, warning, status, reason }: ProposedFolder): string {
  const lines = [why?.sentence, status === 'ok' ? uri && words.wouldSee(uri) : reason?.sentence, warning && `! ${warning.sentence}`]
  return [shown(path), ...lines.filter((line) => line !== undefined).map((line) => `  ${shown(line)}`)].join('\n')
}

/** A path is never cut: what is not seen is not consented to. */
function shown(text: string): string {
  return safeText(text, { maximum: Infinity })
}
