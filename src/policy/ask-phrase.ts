import type { Phrase } from '../protocol/index.ts'

/** Why a person is asked though a rule was written for something like it, with what the sentence needs to know. */
export interface AskFacts {
  readonly 'rules-suspended': { readonly reason: string }
  readonly 'always-ask': object
  readonly 'rule-other-command': { readonly server: string }
  readonly 'rule-asks': { readonly rule: string }
  readonly 'rule-needs-person': { readonly rule: string }
  readonly 'rule-without-content': { readonly rule: string }
  readonly 'rule-inexact': { readonly rule: string }
  readonly 'rule-other-form': { readonly rule: string }
  readonly 'rule-over-limit': { readonly rule: string }
  readonly 'rule-does-not-fit': { readonly rule: string }
}

export type AskKey = keyof AskFacts

/** One sentence each, in one language. */
export type AskMessages = { readonly [Key in AskKey]: (facts: AskFacts[Key]) => string }

/** English. A language is added by a second object of this type. */
export const englishAskMessages: AskMessages = {
  'rules-suspended': ({ reason }) => `The rules are suspended: ${reason}`,
  'always-ask': () => '"Always ask me" is on.',
  'rule-other-command': ({ server }) => `"${server}" runs another command than the config says, or in another folder.`,
  'rule-asks': ({ rule }) => `${rule} asks for a server of this name.`,
  'rule-needs-person': ({ rule }) => `${rule} cannot open an address: only a person can.`,
  'rule-without-content': ({ rule }) => `${rule} has no "content" to answer with.`,
  'rule-inexact': ({ rule }) => `${rule} does not say exactly which form it answers: it needs "server", "message" and "schema".`,
  'rule-other-form': ({ rule }) => `${rule} was written for another form: the server has changed what it asks.`,
  'rule-over-limit': ({ rule }) => `${rule} has answered as often as its limits allow.`,
  'rule-does-not-fit': ({ rule }) => `The values of ${rule} do not fit this form any more.`,
}

export function askPhrase<Key extends AskKey>(key: Key, facts: AskFacts[Key]): Phrase {
  const known = facts as NonNullable<Phrase['facts']>
  return { key, ...(Object.keys(known).length > 0 && { facts: known }), sentence: englishAskMessages[key](facts) }
}
