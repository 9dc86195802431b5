import type { JsonObject, UrlWarning } from '../protocol/index.ts'

/** What can be said of a URL, with what the sentence needs to know. */
export interface UrlWarningFacts {
  readonly userinfo: { readonly host: string }
  readonly 'not-https': object
  readonly 'ip-address': object
  readonly port: { readonly port: string }
  readonly 'other-site': { readonly site: string; readonly serverSite: string }
  readonly 'invisible-characters': object
  readonly long: { readonly length: number }
  readonly punycode: { readonly unicodeHost: string }
  readonly 'mixed-script': object
  readonly 'looks-like': { readonly host: string; readonly lookalike: string }
  readonly 'rewritten-host': { readonly host: string }
  readonly 'secret-in-url': object
}

export type UrlWarningKey = keyof UrlWarningFacts

/** One sentence each, in one language. */
export type UrlMessages = { readonly [Key in UrlWarningKey]: (facts: UrlWarningFacts[Key]) => string }

/** English. A language is added by a second object of this type. */
export const englishUrlMessages: UrlMessages = {
  userinfo: ({ host }) => `What stands before the @ is not the site: the page is at ${host}.`,
  'not-https': () => 'The connection is not encrypted: others on the network can read and change what you see and type.',
  'ip-address': () => 'The page is at a bare address without a name: nobody vouches for who runs it.',
  port: ({ port }) => `The page is at the unusual port ${port}: another program than the usual site may answer there.`,
  'other-site': ({ site, serverSite }) => `The page belongs to ${site}, not to the server's own site ${serverSite}. That is usual for signing in.`,
  'invisible-characters': () => 'The address holds characters that cannot be seen or that turn the text around: it may read differently from what it is.',
  long: ({ length }) => `The address is ${length} characters long: its end is easily overlooked.`,
  punycode: ({ unicodeHost }) => `The name is written with other letters than a to z: ${unicodeHost}. Make sure that it is the site that you mean.`,
  'mixed-script': () => 'The name mixes letters of different scripts, as honest names hardly ever do.',
  'looks-like': ({ host, lookalike }) => `The name can be taken for ${lookalike}, but it is ${host}.`,
  'rewritten-host': ({ host }) => `The name is written in disguise: the browser opens ${host}.`,
  'secret-in-url': () => 'The address seems to carry a password or key: whoever sees it can use it.',
}

/** A warning as a card shows it. The code of a lookalike ends with what it looks like. */
export function urlWarning<Key extends UrlWarningKey>(key: Key, facts: UrlWarningFacts[Key]): UrlWarning {
  const code = key === 'looks-like' ? `looks-like-${(facts as UrlWarningFacts['looks-like']).lookalike}` : key
  const known = facts as JsonObject
  return {
    key,
    code,
    ...(Object.keys(known).length > 0 && { facts: known }),
    sentence: englishUrlMessages[key](facts),
    ...(key === 'other-site' && { quiet: true }),
  }
}
