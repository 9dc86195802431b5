import type { Decision, GrantedFolder, ProposedFolder, Review } from '../../protocol/index.ts'
import { safeText } from './safe-text.ts'
import type { Asking, FaultyDecision } from './asking.ts'
import { describeTarget, headline, words } from './words.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const OTHER = 'other'

/** What can be picked, and what is: folders that were typed stand behind those that were proposed. */
interface Choice {
  readonly offered: readonly ProposedFolder[]
  readonly picked: readonly GrantedFolder[]
}

/** The first time a server wants folders: which may it know, and for how long is that said? */
export async function askFolders(review: Review<'folders'>, asking: Asking): Promise<Decision<'folders'>> {
  const { origin, subject } = review
  const { prompts, before } = asking
  const confirmed = before && (await askToConfirm(before, asking))
  if (confirmed) return confirmed

  const enforcement = subject.isHeld !== true ? words.onlyTold : origin.saysHeld ? words.saidHeld : words.held
  const facts = [headline('folders', origin, 0), describeTarget(origin.server.target), enforcement, ...(origin.era === 'legacy' ? [words.goesOnWithout] : [])]
  prompts.say(facts.join('\n'))
  for (const folder of subject.proposed) prompts.say(describe(folder))
  let choice = await startOver(review, before)
  // Where there is nothing to pick, a way to say no comes before a path has to be typed.
  let decision = choice.offered.length === 0 ? await askHow(choice, asking) : undefined
  while (decision === undefined) {
    const picked = await pickFolders(choice, review, asking)
    if (picked === undefined) return { action: 'cancel' }
    choice = picked
    decision = await askHow(choice, asking)
  }
  return decision
}

/** What was picked before stays picked, as far as it can be told. */
async function startOver(review: Review<'folders'>, before: FaultyDecision | undefined): Promise<Choice> {
  const offered = review.subject.proposed.filter(({ status }) => status === 'ok')
  const earlier = before?.decision.action === 'grant' ? before.decision.roots : []
  const typed = await Promise.all(earlier.filter(({ path }) => !offered.some((folder) => folder.path === path)).map(({ path }) => judge(path, review)))
  const all = [...offered, ...typed.filter(({ status }) => status === 'ok')]
  return { offered: all, picked: earlier.filter(({ path }) => all.some((folder) => folder.path === path)) }
}

/** What there is to say of a folder that somebody typed. */
async function judge(path: string, { weigh }: Review<'folders'>): Promise<ProposedFolder> {
  return (await weigh?.(path)) ?? { path, status: 'ok' }
}

/** Folders that were chosen before and have a warning; undefined where something else was wrong, or the person thinks better of it. */
async function askToConfirm({ decision, faults }: FaultyDecision, { prompts, signal }: Asking): Promise<Decision<'folders'> | undefined> {
  if (decision.action !== 'grant' || faults.length === 0 || faults.some(({ problem }) => problem !== 'folder-unconfirmed')) return undefined
  const choices = [
    { value: 'again' as const, label: words.chooseFoldersAgain },
    { value: 'tell' as const, label: words.tellAllTheSame },
  ]
  const chosen = await prompts.choose(words.allTheSame, choices, { initial: 'again', signal })
  if (chosen === undefined) return { action: 'cancel' }
  const warned = new Set(faults.map(({ field }) => field))
  return chosen === 'again' ? undefined : { ...decision, roots: decision.roots.map((root) => (warned.has(root.path) ? { ...root, confirmed: true } : root)) }
}

/** @returns undefined where nothing is decided at all */
async function pickFolders({ offered, picked: before }: Choice, review: Review<'folders'>, asking: Asking): Promise<Choice | undefined> {
  const { prompts, signal } = asking
  const choices = offered.map(({ path, name }, index) => ({ value: String(index), label: shown(path), hint: name && safeText(name, { maximum: 60 }) }))
  const initial = choices.filter((_, index) => before.some(({ path }) => path === offered[index]!.path)).map(({ value }) => value)
  const options = [...choices, { value: OTHER, label: words.anotherFolder }]
  const marked = offered.length === 0 ? [OTHER] : await prompts.pick(words.chooseFolders, options, { initial, signal })
  if (marked === undefined) return undefined
  const picked = offered
    .filter((_, index) => marked.includes(String(index)))
    .map(({ path, name }): GrantedFolder => before.find((one) => one.path === path) ?? { path, name })
  const typed = marked.includes(OTHER) ? await typeFolders(review, asking) : []
  if (typed === undefined) return undefined
  const fresh = typed.filter(({ state }) => !offered.some(({ path }) => path === state.path))
  const again = typed.filter(({ state }) => !fresh.some((one) => one.state === state) && !picked.some(({ path }) => path === state.path))
  const all = [...offered, ...fresh.map(({ state }) => state)]
  const granted = await offerRepositories([...picked, ...[...again, ...fresh].map((one) => one.granted)], all, asking)
  return granted && { offered: all, picked: granted }
}

/** Git keeps the repository of some folders elsewhere, where a held server cannot reach it: it may read it only where that is said of each. */
async function offerRepositories(
  picked: readonly GrantedFolder[],
  offered: readonly ProposedFolder[],
  { prompts, signal }: Asking,
): Promise<readonly GrantedFolder[] | undefined> {
  const granted: GrantedFolder[] = []
  for (const { repository: before, ...folder } of picked) {
    const repository = offered.find(({ path }) => path === folder.path)?.offeredRepository
    const choices = [
      { value: 'no' as const, label: words.keepRepository },
      { value: 'yes' as const, label: words.readRepository },
    ]
    const chosen =
      repository === undefined
        ? 'no'
        : await prompts.choose(shown(words.repositoryOf(folder.path, repository)), choices, { initial: repository === before ? 'yes' : 'no', signal })
    if (chosen === undefined) return undefined
    granted.push(chosen === 'yes' ? { ...folder, repository } : folder)
  }
  return granted
}

interface TypedFolder {
  readonly state: ProposedFolder
  readonly granted: GrantedFolder
}

/** Each is looked at as soon as it is typed: what cannot be told is said there, and what there is to mind is confirmed there. */
async function typeFolders(review: Review<'folders'>, { prompts, signal }: Asking): Promise<readonly TypedFolder[] | undefined> {
  const folders: TypedFolder[] = []
  for (;;) {
    let state: ProposedFolder | undefined
    const check = async (text: string): Promise<string | undefined> => {
      state = text.trim() === '' ? undefined : await judge(text.trim(), review)
      if (state === undefined || state.status === 'ok') return undefined
      // What is not there is told later only where it was granted before.
      const sentence = state.reason?.key === 'folder-missing' ? words.noSuchFolder : state.reason?.sentence
      return shown(`${state.path}: ${sentence ?? state.status}`)
    }
    const text = await prompts.write(folders.length === 0 ? words.typeFolder : words.typeNextFolder, { kind: 'line', signal, check })
    if (text === undefined) return undefined
    if (state === undefined) return folders
    const { path, warning } = state
    if (folders.some((one) => one.state.path === path)) continue
    prompts.say(describe(state))
    if (warning === undefined) folders.push({ state, granted: { path } })
    else {
      const confirmed = await prompts.choose(words.addWarned, addWarned, { initial: 'no', signal })
      if (confirmed === undefined) return undefined
      if (confirmed === 'yes') folders.push({ state, granted: { path, confirmed: true } })
    }
  }
}

const addWarned = [
  { value: 'no', label: words.leaveWarned },
  { value: 'yes', label: words.takeWarned },
] as const

/** @returns undefined where the person wants to choose again */
async function askHow({ offered, picked: roots }: Choice, { prompts, signal, server }: Asking): Promise<Decision<'folders'> | undefined> {
  if (roots.length > 0) {
    const seen = roots.map(({ path, repository }) => {
      const told = describeTold(path, offered.find((folder) => folder.path === path)?.uri)
      return repository === undefined ? told : `${told}\n  ${shown(words.mayRead(repository))}`
    })
    prompts.quote(seen.join('\n'), words.willBeTold(server))
  }
  const choices = [
    { value: 'run' as const, label: words.tellForRun },
    { value: 'days' as const, label: words.tellForDays(DAYS) },
    { value: 'always' as const, label: words.tellAlways },
    { value: 'again' as const, label: offered.length === 0 ? words.nameFolder : words.backToFolders },
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

/** What is told, and where it knows the folder by another name than this machine, that name of ours too. */
function describeTold(path: string, uri = path): string {
  return uri === path || uri === `file://${encodeURI(path)}` ? shown(uri) : `${shown(uri)}\n  ${shown(words.hereIs(path))}`
}

/** A path is never cut: what is not seen is not consented to. */
function shown(text: string): string {
  return safeText(text, { maximum: Infinity })
}
