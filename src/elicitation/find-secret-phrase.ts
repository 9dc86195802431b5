import {
  askingWords,
  blockers,
  capitalTerms,
  cardExpiryTerms,
  codeEndings,
  codeTerms,
  countedAlone,
  leadIns,
  otherHeads,
  otherKinds,
  qualifiers,
  secretEndings,
  textTerms,
  toSingular,
} from './secret-words.ts'
import { splitPhrases, type Phrase } from './split-words.ts'

/** `code`: a secret that can be a number. `card-expiry`: only beside a card. */
export type SecretKind = 'code' | 'text' | 'card-expiry'

/** Where the words come from: a description may speak of something else than the value. */
export type WordSource = 'name' | 'title' | 'description'

interface Term {
  readonly words: readonly string[]
  readonly kind: SecretKind
}

const shortestJoined = 4
const shortestEnding = 6
const mostUnknownInDescription = 2

/** Terms by their first word, longest first; and every term joined into one word. */
const termsByFirst = new Map<string, Term[]>()
const joinedTerms = new Map<string, SecretKind>()
for (const [kind, list] of [
  ['text', textTerms],
  ['code', codeTerms],
  ['card-expiry', cardExpiryTerms],
] as const)
  for (const line of list) {
    const words = line.split(' ').map(toSingular)
    termsByFirst.set(words[0]!, [...(termsByFirst.get(words[0]!) ?? []), { words, kind }])
    if (words.length > 1 && kind !== 'card-expiry') joinedTerms.set(words.join(''), kind)
  }
for (const terms of termsByFirst.values()) terms.sort((one, other) => other.words.length - one.words.length)

const leadInsByFirst = new Map<string, (readonly string[])[]>()
for (const line of leadIns.map((words) => words.map(toSingular))) leadInsByFirst.set(line[0]!, [...(leadInsByFirst.get(line[0]!) ?? []), line])

/** What kinds of secret a folded text in English, German or Spanish asks for. */
export function findSecretPhrases(folded: string, source: WordSource): ReadonlySet<SecretKind> {
  const kinds = new Set<SecretKind>()
  const text = source === 'name' ? folded.replaceAll('.', ' ') : source === 'description' ? withoutWarnings(folded) : folded
  const phrases = splitPhrases(text).flatMap(splitAtConjunction)
  for (const raw of phrases) {
    const words = raw.map(toSingular)
    const asked = afterLeadIn(words)
    if (isSentCode(asked, source)) kinds.add('code')
    for (let index = words.length - asked.length; index < words.length; index += 1) {
      const term = termAt(words, index)
      if (term === undefined) continue
      const before = words.slice(words.length - asked.length, index)
      const after = words.slice(index + term.length)
      const isPlural = countedAlone.has(raw[index + term.length - 1]!) && term.length === 1 && before.every((word) => !credentialWords.has(word))
      if (!isPlural && isAskedFor(words.slice(index, index + term.length), before, after, source, folded)) kinds.add(term.kind)
      index += term.length - 1
    }
  }
  return kinds
}

const asked = 'enter|type|give|provide|use|paste|fill|put|insert|supply'
const giving =
  'enter|type|giv(?:e|ing)|provid(?:e|ing)|shar(?:e|ing)|send|put|includ(?:e|ing)|writ(?:e|ing)|submit|disclos(?:e|ing)|reveal|tell|paste|insert|add|post'
/** "Do not give us your phone number, PIN, or the like": a warning goes on through its list, up to the end of the sentence, or to where something is asked for. */
const warnings = new RegExp(
  [
    `\\b(?:(?:do|must|should) not|dont|don['’]t|never|please avoid|avoid)(?: ever)? (?:${giving})\\b(?:(?!,\\s*(?:(?:please|just|only|instead|then|but) )*(?:${asked})\\b|\\b(?:but|instead|only|unless|except)\\b)[^.!?:;()[\\]\\n])*`,
    String.raw`\b(?:geben|nennen|teilen|senden|schreiben|tragen) sie(?: uns| hier)? (?:nie|niemals|nicht|keine?|keinesfalls)\b(?:(?!\b(?:sondern|aber|nur|ausser)\b)[^.!?:;()[\]\n])*`,
    String.raw`\b(?:no|nunca) (?:nos )?(?:introduzcas?|ingreses?|escribas?|compartas?|facilites?|proporciones?|indiques?|incluyas?)\b(?:(?!\b(?:sino|pero|solo|excepto)\b)[^.!?:;()[\]\n])*`,
  ].join('|'),
  'giu',
)

function withoutWarnings(folded: string): string {
  return folded.replaceAll(warnings, ' ')
}

const credentialWords = new Set('access api auth bearer refresh secret security session bot personal'.split(' '))
const conjunctions = new Set('and or und oder y o u e plus'.split(' '))

function splitAtConjunction(phrase: Phrase): readonly Phrase[] {
  const parts: string[][] = [[]]
  for (const [index, word] of phrase.entries()) {
    if (index > 0 && index < phrase.length - 1 && conjunctions.has(word)) parts.push([])
    else parts.at(-1)!.push(word)
  }
  return parts
}

function afterLeadIn(words: Phrase): Phrase {
  for (let start = 0; start < Math.min(words.length, 4); start += 1) {
    const rest = words.slice(start)
    const leadIn = leadInsByFirst.get(rest[0]!)?.find((line) => line.every((word, index) => word === rest[index]))
    if (leadIn !== undefined) return rest.slice(leadIn.length)
    if (!askingWords.has(words[start]!)) return words
  }
  return words
}

function termAt(words: Phrase, index: number): { readonly length: number; readonly kind: SecretKind } | undefined {
  const word = words[index]!
  const term = termsByFirst.get(word)?.find((candidate) => candidate.words.every((expected, offset) => words[index + offset] === expected))
  if (term !== undefined) return { length: term.words.length, kind: term.kind }
  if (word.length < shortestJoined) return undefined
  const joined = joinedTerms.get(word)
  if (joined !== undefined) return { length: 1, kind: joined }
  if (word.length < shortestEnding) return undefined
  if (codeEndings.test(word)) return { length: 1, kind: 'code' }
  return secretEndings.test(word) ? { length: 1, kind: 'text' } : undefined
}

/** Whether the term is what is asked for, and not part of the name of something else, or only mentioned. */
function isAskedFor(term: Phrase, before: Phrase, after: Phrase, source: WordSource, folded: string): boolean {
  const last = term.at(-1)!
  const kinds = otherKinds.get(last)
  const [next, second = ''] = after
  if (before.some((word) => blockers.has(word))) return false
  if (next !== undefined && (otherHeads.has(next) || isOtherHeadInCjk(next) || (qualifiers.has(next) && otherHeads.has(second)))) return false
  if (kinds !== undefined && (before.some((word) => kinds.has(word)) || isOfKind(after, kinds))) return false
  if (before.some((word) => publicWords.has(word))) return false
  if (last === 'number' && /\blast (?:4|four|few)\b/iu.test(folded)) return false
  if (term.length === 1 && capitalTerms.has(last))
    return before.length === 0 && (source === 'name' || new RegExp(`\\b${last.toUpperCase()}\\b`, 'u').test(folded))
  if (source !== 'description') return true
  if (next !== undefined && tellingVerbs.has(next)) return false
  return before.filter((word) => !askingWords.has(word)).length <= mostUnknownInDescription
}

/** "Bearer of the ring", "tarjeta de socio", "mnemonic instruction". */
function isOfKind([next, ...others]: Phrase, kinds: ReadonlySet<string>): boolean {
  if (next === undefined) return false
  return kinds.has(next) || (/^(?:of|del?)$/u.test(next) && others.slice(0, 2).some((word) => kinds.has(word)))
}

const publicWords = new Set('public publishable offentlich offentlicher offentliche publica publico'.split(' '))
const tellingVerbs = new Set('is are was will stay remain cannot can get has wird ist sera es'.split(' ').map(toSingular))

function isOtherHeadInCjk(word: string): boolean {
  return /^(?:이름|길이|개수|종류|유형|만료|힌트|名称|名稱|长度|長度|类型|類型|数量|の名前|の長さ|名前|名|数|の数)/u.test(word)
}

/** "The code that we sent", "6-digit code from your authenticator app". */
function isSentCode(words: Phrase, source: WordSource): boolean {
  const index = words.indexOf('code')
  if (index < 0) return false
  const before = words.slice(0, index)
  const codeKinds = otherKinds.get('code')
  if (before.some((word) => blockers.has(word) || codeKinds?.has(word))) return false
  const rest = words.slice(index + 1).join(' ')
  const isDigits = before.at(-1) === 'digit' || (before.at(-1) === 'numeric' && before.at(-2) === 'digit')
  if (isDigits && (rest === '' || source === 'name')) return true
  return sentCode.test(rest)
}

const sentCode =
  /^(?:that |which )?(?:we |was |were |is |ha |have |been |just |you )*(?:sent|texted|emailed|mailed|received|got|sms)\b|^(?:from|in|by|via|of|on|shown in|generated by|displayed in) (?:the |your |an? |our |my )*(?:\w+ ){0,3}?(?:authenticator|authentication|sms|text message|email|e mail|text|phone|2 fa|otp)\b/u
