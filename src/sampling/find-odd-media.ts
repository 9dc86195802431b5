import { isJsonObject, type ContentBlock, type Phrase, type SamplingRequest } from '../protocol/index.ts'
import { phrase } from './phrases.ts'

/** How files of a kind begin; a dot is any byte. Kinds that begin in no certain way are not judged. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/s,
  'image/jpeg': /^\xff\xd8\xff/s,
  'image/gif': /^GIF8[79]a/s,
  'image/webp': /^RIFF....WEBP/s,
  'audio/wav': /^RIFF....WAVE/s,
  'audio/mpeg': /^(?:ID3|\xff[\xe0-\xff])/s,
  'audio/ogg': /^OggS/s,
  'audio/flac': /^fLaC/s,
}
const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/x-flac': 'audio/flac',
}
/** Sixteen characters of base64 are the first twelve bytes. */
const FIRST_CHARACTERS = 16

/** Images and sounds of a request that do not begin like what they say they are: a person cannot be shown them, and a model may make anything of them. */
export function findOddMedia({ messages }: SamplingRequest): readonly Phrase[] {
  return messages.flatMap(({ content }, message) => content.flatMap((block, position) => oddIn(block, `messages[${message}].content[${position}]`)))
}

function oddIn(block: ContentBlock, path: string): readonly Phrase[] {
  if (block.type === 'image' || block.type === 'audio') return judge(block.mimeType, block.data, path)
  if (block.type !== 'tool_result') return []
  return block.content.flatMap((inner, index) => {
    const { type, mimeType, data } = isJsonObject(inner) ? inner : {}
    const isMedia = (type === 'image' || type === 'audio') && typeof mimeType === 'string' && typeof data === 'string'
    return isMedia ? judge(mimeType, data, `${path}.content[${index}]`) : []
  })
}

function judge(mimeType: string, data: string, path: string): readonly Phrase[] {
  const said = mimeType.split(';', 1)[0]!.trim().toLowerCase()
  const type = Object.hasOwn(otherNames, said) ? otherNames[said]! : said
  if (!Object.hasOwn(beginnings, type) || beginnings[type]!.test(atob(data.slice(0, FIRST_CHARACTERS)))) return []
  return [phrase('media-not-as-said', `${path} says that it is ${type}, and does not begin like one`, { path, type })]
}
