import type { JSONObject } from '@ai-sdk/provider'
import type { ModelEntry } from '../policy/index.ts'

export type ModelApi = NonNullable<ModelEntry['api']>

/** What a form of speech carries of a request; what it does not is refused by name, or said beforehand. */
export interface ProviderTraits {
  /** Where the scale of temperatures ends. */
  readonly hottest: number
  /** Models whose temperature and stop sequences are fixed. */
  readonly fixed?: RegExp | undefined
  readonly mostStops?: number | undefined
  /** Media types of images; absent: whatever the model behind it takes. */
  readonly images?: ReadonlySet<string> | undefined
  /** Sound, by media type as it comes and as it is sent. */
  readonly audio: Readonly<Record<string, string>> | 'any' | 'none'
  /** Whether a tool result may hold images. */
  readonly seesResults: boolean
  /** Tool schemas are given in a smaller dialect. */
  readonly simplifiesSchemas?: boolean | undefined
  /** The allowed metadata as this provider takes it; undefined for what it does not take. */
  metadata(allowed: Readonly<Record<string, string>>): JSONObject | undefined
  /** Keys of metadata that it takes; absent: any. */
  readonly metadataKeys?: readonly string[] | undefined
}

const rasterImages: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const wavAndMp3: Readonly<Record<string, string>> = {
  'audio/wav': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg': 'audio/mpeg',
}

/** The name under which a client of the chat completions form takes what is special. */
export const COMPATIBLE = 'consentry'

export const providerTraits: Readonly<Record<ModelApi, ProviderTraits>> = {
  anthropic: {
    hottest: 1,
    images: rasterImages,
    audio: 'none',
    seesResults: true,
    metadata: ({ user_id: userId }) => (userId === undefined ? undefined : { anthropic: { metadata: { userId } } }),
    metadataKeys: ['user_id'],
  },
  openai: {
    hottest: 2,
    fixed: /^(?:o\d|gpt-(?:[5-9]|\d\d))/,
    mostStops: 4,
    images: rasterImages,
    audio: wavAndMp3,
    seesResults: false,
    metadata: (allowed) => ({ openai: { metadata: allowed } }),
  },
  google: {
    hottest: 2,
    mostStops: 5,
    images: new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif']),
    audio: 'any',
    seesResults: true,
    simplifiesSchemas: true,
    metadata: () => undefined,
    metadataKeys: [],
  },
  'openai-compatible': {
    hottest: 2,
    audio: wavAndMp3,
    seesResults: false,
    metadata: (allowed) => ({ [COMPATIBLE]: { metadata: allowed } }),
  },
}
