const exact = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A path of the disk as text; undefined for one that no text can hold, and which would read like another one. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return exact.decode(bytes)
  } catch {
    return undefined
  }
}
