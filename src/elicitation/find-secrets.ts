import { isJsonObject, type Field, type Form, type JsonObject, type SecretMark } from '../protocol/index.ts'
import { findSecretPhrases, type SecretKind, type WordSource } from './find-secret-phrase.ts'
import { foldText } from './fold-text.ts'
import { isKnownCredential, mentionsCredential } from './known-credentials.ts'
import { findCjkTerm, isCjkExpiry } from './secret-terms-cjk.ts'

/** A compiled field with the schemas that it came from, outermost first. */
export interface SecretClues {
  readonly field: Field
  readonly schemas: readonly JsonObject[]
}

type Sign = SecretMark['sign']

/**
 * Which fields ask for what grants access or authorises a payment, in the order of the fields: undefined for those that do not.
 *
 * One sign is enough: an innocent title does not excuse a telling name. What a person picks from a list never is a secret.
 *
 * @see MCP 2025-11-25 client/elicitation "User Interaction Model": servers must not ask for secrets in form mode
 */
export function markSecrets(clues: readonly SecretClues[]): readonly (SecretMark | undefined)[] {
  const read = remembering(kindsIn)
  const findings = clues.map((clue) => look(clue, read))
  const hasCard = findings.some(({ isCard }) => isCard)
  return findings.map(({ sign, expirySign }) => {
    const found = sign ?? (hasCard ? expirySign : undefined)
    return found === undefined ? undefined : { sign: found }
  })
}

/** The names of the fields of a form that ask for a secret, in its order. */
export function findSecrets(form: Form): readonly string[] {
  return form.fields.filter(({ secret }) => secret !== undefined).map(({ name }) => name)
}

interface Finding {
  readonly sign?: Sign | undefined
  /** Set where the field is a secret if the form also asks for a card. */
  readonly expirySign?: Sign | undefined
  readonly isCard: boolean
}

const cardWords = /card|kreditkarte|tarjeta|\bc[cv][cv]?\b|카드|卡|カード/iu
const nothing: Finding = { isCard: false }

function look({ field, schemas }: SecretClues, read: KindsReader): Finding {
  const kind = carries(field)
  if (kind === 'nothing') return nothing
  const texts: readonly (readonly [WordSource, string])[] = [
    ['name', field.name],
    ...(field.label === field.name ? [] : [['title', field.label] as const]),
    ...(field.description === undefined ? [] : [['description', field.description] as const]),
  ]
  const found = texts.map(([source, text]) => ({ source, kinds: read(text, source) }))
  const isCard = found.some(({ kinds }) => kinds.has('code')) && texts.some(([, text]) => cardWords.test(foldText(text)))
  if (kind === 'number') return { sign: found.find(({ kinds }) => kinds.has('code'))?.source, isCard }
  if (kind === 'uri') return { sign: texts.find(([, text]) => mentionsCredential(foldText(text)))?.[0] ?? markedSign(field, schemas), isCard }
  const sign = found.find(({ kinds }) => kinds.has('code') || kinds.has('text'))?.source
  return { sign: sign ?? markedSign(field, schemas), expirySign: found.find(({ kinds }) => kinds.has('card-expiry'))?.source, isCard }
}

/** What a field can carry at all. */
function carries(field: Field): 'nothing' | 'number' | 'uri' | 'text' {
  if (field.kind === 'number' || field.kind === 'integer') return field.constant === undefined ? 'number' : 'nothing'
  if (field.kind !== 'text' && field.kind !== 'text-list') return 'nothing'
  const { format, constant } = field.kind === 'text' ? field : field.each
  if (constant !== undefined || field.constant !== undefined) return 'nothing'
  return format === undefined ? 'text' : format === 'uri' ? 'uri' : 'nothing'
}

function markedSign(field: Field, schemas: readonly JsonObject[]): Sign | undefined {
  const all = schemas.flatMap((schema) => (isJsonObject(schema['items']) ? [schema, schema['items']] : [schema]))
  const said = (keyword: string): readonly unknown[] => all.filter((schema) => Object.hasOwn(schema, keyword)).map((schema) => schema[keyword])
  if (said('format').includes('password')) return 'format'
  if (said('writeOnly').includes(true)) return 'write-only'
  if (said('pattern').some((pattern) => isKnownCredential(pattern, 'pattern'))) return 'pattern'
  if ([field.default].flat().some((value) => isKnownCredential(value, 'text'))) return 'default'
  return said('default').some((value) => isKnownCredential(value, 'text')) ? 'default' : undefined
}

type KindsReader = (text: string, source: WordSource) => ReadonlySet<SecretKind>

/** Fields can share their texts: each is read once. */
function remembering(read: KindsReader): KindsReader {
  const known: Record<WordSource, Map<string, ReadonlySet<SecretKind>>> = { name: new Map(), title: new Map(), description: new Map() }
  return (text, source) => {
    const kinds = known[source].get(text) ?? read(text, source)
    known[source].set(text, kinds)
    return kinds
  }
}

function kindsIn(text: string, source: WordSource): ReadonlySet<SecretKind> {
  const folded = foldText(text)
  const cjk = findCjkTerm(folded, source === 'description')
  const kinds = new Set<SecretKind>([...findSecretPhrases(folded, source), ...(cjk === undefined ? [] : [cjk])])
  if (isCjkExpiry(folded)) kinds.add('card-expiry')
  if (source === 'description' && mentionsCredential(folded)) kinds.add('text')
  return kinds
}
