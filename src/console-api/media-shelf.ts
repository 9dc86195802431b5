import { ConsentryError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import type { ShownMedia } from './contract.ts'
import { readImageSize, type ImageSize } from './image-size.ts'
import { randomText } from './sessions.ts'

const MOST_BYTES = 10 * 1024 * 1024
const MOST_PIXELS = 40_000_000

const sounds: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'audio/mpeg': [
    [0x49, 0x44, 0x33],
    [0xff, 0xfb],
    [0xff, 0xf3],
    [0xff, 0xf2],
  ],
  'audio/ogg': [[0x4f, 0x67, 0x67, 0x53]],
  'audio/wav': [[0x52, 0x49, 0x46, 0x46]],
}

/** What can be looked at or listened to. */
export interface ViewableMedia {
  readonly type: 'image' | 'audio'
  readonly mimeType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly size?: ImageSize | undefined
}

interface Media {
  readonly type: 'image' | 'audio'
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

/**
 * Media of servers and models while they are shown. A message to the browser never has their bytes: it has a name that nobody can guess, by which the bytes can be got one by one
 * (where they really are a picture or a sound of a known kind, and not too large), and put back into what a person edits.
 */
export class MediaShelf {
  readonly #media = new Map<string, Media & { readonly block: JsonObject; readonly shown: ShownMedia }>()
  readonly #byOwner = new Map<string, Map<string, string>>()

  /** Puts names in the place of media, at any depth of what a server sent. The owner is what they are shown with: a review, a call. */
  hide(owner: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element) => this.hide(owner, element))
    if (!isJsonObject(value)) return value
    const media = readMedia(value)
    if (media !== undefined) return this.#shown(owner, media, value)
    const { blob, ...rest } = value
    if (typeof blob === 'string' && typeof value['uri'] === 'string') return { ...rest, bytes: bytesIn(blob) }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.hide(owner, member)]))
  }

  /** Puts the media back, as they came. @throws ConsentryError `USAGE` for a name of another owner */
  restore(owner: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((element) => this.restore(owner, element))
    if (!isJsonObject(value)) return value
    if ((value['type'] === 'image' || value['type'] === 'audio') && typeof value['media'] === 'string') {
      const { media } = value
      const isOwn = [...(this.#byOwner.get(owner)?.values() ?? [])].includes(media)
      const kept = isOwn ? this.#media.get(media) : undefined
      if (kept === undefined) throw new ConsentryError('USAGE', 'This picture or sound is not part of what was shown.')
      return kept.block
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.restore(owner, member)]))
  }

  /** Something viewable, with its bytes. */
  read(id: string): ViewableMedia | undefined {
    const media = this.#media.get(id)
    return media && readViewable(media)
  }

  /** Lets go of what was shown with this owner. */
  forget(owner: string): void {
    for (const id of this.#byOwner.get(owner)?.values() ?? []) this.#media.delete(id)
    this.#byOwner.delete(owner)
  }

  #shown(owner: string, { type, mimeType, data }: Media, block: JsonObject): ShownMedia {
    const known = this.#byOwner.get(owner) ?? new Map<string, string>()
    const key = `${mimeType},${data}`
    const before = this.#media.get(known.get(key) ?? '')
    if (before !== undefined) return before.shown
    const media = randomText()
    const viewable = readViewable({ type, mimeType, data })
    const shown = { type, mimeType, bytes: bytesIn(data), media, viewable: viewable !== undefined, ...viewable?.size }
    this.#byOwner.set(owner, known.set(key, media))
    this.#media.set(media, { type, mimeType, data, block, shown })
    return shown
  }
}

function readMedia({ type, mimeType, data }: JsonObject): Media | undefined {
  if ((type !== 'image' && type !== 'audio') || typeof mimeType !== 'string' || typeof data !== 'string') return undefined
  return { type, mimeType: mimeType.toLowerCase(), data }
}

function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}

/** Only what begins like what it claims to be, and needs no more room than a large photograph. */
function readViewable({ type, mimeType, data }: Media): ViewableMedia | undefined {
  if (bytesIn(data) > MOST_BYTES) return undefined
  const bytes = new Uint8Array(Buffer.from(data, 'base64'))
  if (type === 'audio') {
    const beginnings = Object.hasOwn(sounds, mimeType) ? sounds[mimeType] : undefined
    return beginnings?.some((beginning) => beginning.every((byte, index) => bytes[index] === byte)) === true ? { type, mimeType, bytes } : undefined
  }
  const size = readImageSize(bytes, mimeType)
  return size !== undefined && size.width * size.height <= MOST_PIXELS ? { type, mimeType, bytes, size } : undefined
}
