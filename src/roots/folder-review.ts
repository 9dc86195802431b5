import type { Decision, FieldFault, GrantedFolder, ProposedFolder, Reviewer, ReviewRequest, Settlement } from '../protocol/index.ts'
import { ConsentedFolder } from './consented-folder.ts'
import { findRepository } from './find-checkouts.ts'
import { folderFault, readGrant, readRemembrance, unreadable } from './folder-grant.ts'
import { warningOf } from './folder-judge.ts'
import type { Proposal, RootEntry } from './root-entry.ts'
import { rootPhrase } from './root-phrase.ts'
import type { ServerRoots } from './server-roots.ts'

type ReviewedRoots = Pick<ServerRoots, 'folderOptions' | 'view' | 'grant' | 'refuse'>

/** What is known of one folder while a person decides on it. */
interface Weighed {
  readonly folder: ConsentedFolder
  readonly state: ProposedFolder
  readonly isBlocked: boolean
}

/**
 * One review of folders: a person sees which, why, what the server would see and what there is to warn of, and says yes, or no.
 *
 * A yes is to the folders that lay there when they were shown: what was put in the place of one since then is a fault, as is
 * a folder that is not there, or whose warning nobody has confirmed.
 */
export class FolderReview {
  readonly #roots: ReviewedRoots
  readonly #isHeld: boolean
  readonly #shown = new Map<string, ConsentedFolder>()

  /** @param isHeld whether the server reaches nothing but its folders */
  constructor(roots: ReviewedRoots, isHeld: boolean = false) {
    this.#roots = roots
    this.#isHeld = isHeld
  }

  /** Asks, and keeps what a person says. Folders that must never be told are not shown. @throws ConsentryError `STORE_UNAVAILABLE` */
  async ask(
    proposals: readonly Proposal[],
    origin: ReviewRequest<'folders'>['origin'],
    reviewer: Reviewer,
    signal: AbortSignal,
  ): Promise<Settlement<'folders'>> {
    const weighed = await Promise.all(proposals.map((proposal) => this.#weigh(proposal)))
    const proposed = weighed.filter(({ isBlocked }) => !isBlocked).map(({ state }) => state)
    const check = (decision: Decision<'folders'>): Promise<readonly FieldFault[]> => this.#findFaults(decision)
    const weigh = async (path: string): Promise<ProposedFolder> => (await this.#weigh({ path })).state
    const settlement = await reviewer.review(
      { kind: 'folders', origin, subject: { proposed, ...(this.#isHeld && { isHeld: true }) }, draft: undefined, check, weigh },
      signal,
    )
    if (settlement.outcome === 'decided') await this.#keep(settlement.decision)
    return settlement
  }

  async #findFaults(decision: Decision<'folders'>): Promise<readonly FieldFault[]> {
    const folders = readGrant(decision)
    if (folders === undefined) return [unreadable]
    return (await Promise.all(folders.map((folder) => this.#findFault(folder)))).filter((fault) => fault !== undefined)
  }

  async #findFault({ path, name, confirmed, repository }: GrantedFolder): Promise<FieldFault | undefined> {
    const { state } = await this.#weigh({ path, name })
    const { status, reason, warning, offeredRepository } = state
    if (status !== 'ok') return folderFault(path, status, reason)
    if (repository !== undefined && repository !== offeredRepository) {
      const { key, sentence } = rootPhrase('folder-repository', {})
      return { field: path, problem: key, message: sentence }
    }
    if (warning === undefined || confirmed) return undefined
    return { field: path, problem: 'folder-unconfirmed', facts: { warning: warning.key }, message: warning.sentence }
  }

  async #keep(decision: Decision<'folders'>): Promise<void> {
    const remember = readRemembrance(decision)
    if (decision.action === 'deny' && remember) await this.#roots.refuse(remember)
    const granted = readGrant(decision) ?? []
    if (granted.length > 0)
      await this.#roots.grant(
        granted.map(({ path, name, repository }) => this.#folderOf({ path, name, repository })),
        remember,
      )
  }

  async #weigh({ why, ...entry }: Proposal): Promise<Weighed> {
    const folder = this.#folderOf(entry)
    if (folder.refusal) return { folder, state: (await folder.look()).state, isBlocked: true }
    const sighting = await folder.look()
    const judgement = await this.#roots.folderOptions.judge.judge(folder.path, sighting.state.status)
    const { state } = this.#roots.view.see(folder.path, sighting)
    const offered = this.#isHeld && state.status === 'ok' ? await findRepository(folder.path, this.#roots.folderOptions.disk) : undefined
    const offer = offered === undefined ? {} : { offeredRepository: offered }
    return { folder, state: { ...state, why, warning: warningOf(judgement), ...offer }, isBlocked: judgement.level === 'block' }
  }

  /** One object for each path, so that what was shown is what is granted. */
  #folderOf(entry: RootEntry): ConsentedFolder {
    const { report: _, ...options } = this.#roots.folderOptions
    const folder = new ConsentedFolder(entry, options)
    const shown = this.#shown.get(folder.path)
    if (!shown) this.#shown.set(folder.path, folder)
    else if (entry.name !== undefined || entry.repository !== undefined) shown.rename(entry)
    return shown ?? folder
  }
}
