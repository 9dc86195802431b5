import type { AnswerCapabilities, InputKind } from '../protocol/index.ts'

/** Everything that can be asked apart from the others: a client may know forms and no URLs, or sampling and no tools. */
export type Feature = keyof AnswerCapabilities

/** Who answers: the client behind us, we, or nobody, so that it must not be asked. */
export type Owner = 'client' | 'here' | 'nobody'
export type Owners = Readonly<Record<Feature, Owner>>

/** What the user wants to be otherwise than by default (`--take`, `--pass`). */
export interface Wishes {
  readonly take: ReadonlySet<InputKind>
  readonly pass: ReadonlySet<InputKind>
}

const features: readonly Feature[] = ['roots', 'form', 'url', 'sampling', 'samplingTools']
const kindOf: Readonly<Record<Feature, InputKind>> = {
  roots: 'roots',
  form: 'elicitation',
  url: 'elicitation',
  sampling: 'sampling',
  samplingTools: 'sampling',
}

/** Shares out who answers what. What the client declared it answers itself, the rest is answered here as far as it can be; the user's wishes come first. */
export function shareFeatures(declared: AnswerCapabilities, can: AnswerCapabilities, { take, pass }: Wishes): Owners {
  const ownerOf = (feature: Feature): Owner => {
    const kind = kindOf[feature]
    if (pass.has(kind)) return 'client'
    if (declared[feature] && !take.has(kind)) return 'client'
    return can[feature] ? 'here' : 'nobody'
  }
  return Object.fromEntries(features.map((feature) => [feature, ownerOf(feature)])) as Owners
}

/** The same, where somebody here answers in place of the client what it declared of these kinds. */
export function takeFeatures(owners: Owners, kinds: ReadonlySet<InputKind>, can: AnswerCapabilities): Owners {
  const ownerOf = (feature: Feature): Owner => (owners[feature] === 'client' && kinds.has(kindOf[feature]) && can[feature] ? 'here' : owners[feature])
  return kinds.size === 0 ? owners : (Object.fromEntries(features.map((feature) => [feature, ownerOf(feature)])) as Owners)
}

/** What the server may ask, whoever answers it. */
export function promisedBy(owners: Owners): AnswerCapabilities {
  return Object.fromEntries(features.map((feature) => [feature, owners[feature] !== 'nobody'])) as unknown as AnswerCapabilities
}

/** False: whatever is asked is the client's business, and need not be looked at. */
export function isAnythingHere(owners: Owners): boolean {
  const { roots, form, url, sampling, samplingTools } = owners
  return roots !== 'client' || form !== 'client' || url !== 'client' || sampling !== 'client' || samplingTools !== 'client'
}

/** Before anything was declared: folders can be told early, everything else was not offered. @see MCP basic/lifecycle "Initialization" */
export const beforeHandshake: Owners = { roots: 'here', form: 'nobody', url: 'nobody', sampling: 'nobody', samplingTools: 'nobody' }
