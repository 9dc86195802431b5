import type { Writable } from 'node:stream'

/** So much of what a server says to people is kept for a reader that is slow; a server must never wait for one that does not read. */
const most = 1024 * 1024

/**
 * Passes on what a server says to people, as it came. Where nobody reads it, the newest is dropped and counted.
 *
 * @returns takes the bytes
 */
export function passStderr(stderr: Writable): (bytes: Buffer) => void {
  let dropped = 0
  stderr.on('error', () => {})
  return (bytes) => {
    if (stderr.writableLength > most) {
      dropped += bytes.length
      return
    }
    if (dropped > 0) stderr.write(`\nconsentry: ${dropped} bytes of the server's stderr were dropped, because nobody read them\n`)
    dropped = 0
    stderr.write(bytes)
  }
}
