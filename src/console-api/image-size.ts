export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Width and height of a picture, from its first bytes alone: nothing is decoded. Undefined for what is none of PNG, JPEG, GIF and WebP, or is cut off. */
export function readImageSize(bytes: Uint8Array, type: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    switch (type) {
      case 'image/png':
        return has(bytes, 0, PNG) ? size(view.getUint32(16), view.getUint32(20)) : undefined
      case 'image/gif':
        return has(bytes, 0, GIF) ? size(view.getUint16(6, true), view.getUint16(8, true)) : undefined
      case 'image/jpeg':
        return has(bytes, 0, JPEG) ? readJpeg(view) : undefined
      case 'image/webp':
        return has(bytes, 0, RIFF) && has(bytes, 8, WEBP) ? readWebp(bytes, view) : undefined
      default:
        return undefined
    }
  } catch {
    // The bytes end too early.
    return undefined
  }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const GIF = [0x47, 0x49, 0x46, 0x38]
const JPEG = [0xff, 0xd8, 0xff]
const RIFF = [0x52, 0x49, 0x46, 0x46]
const WEBP = [0x57, 0x45, 0x42, 0x50]

function has(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte)
}

function size(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined
}

/** Goes from segment to segment to the one that has the size. */
function readJpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return size(view.getUint16(at + 7), view.getUint16(at + 5))
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
}

function readWebp(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  const chunk = String.fromCharCode(...bytes.subarray(12, 16))
  if (chunk === 'VP8X') return size(1 + (view.getUint32(24, true) & 0xffffff), 1 + (view.getUint32(26, true) >>> 8))
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return size(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
  }
  return chunk === 'VP8 ' ? size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff) : undefined
}
