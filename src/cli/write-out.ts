import type { Writable } from 'node:stream'

/** What a terminal or an editor could act on although JSON allows it as it is. */
const ACTIVE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** One line of JSON, the same value to every reader, that acts on no terminal. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replaceAll(ACTIVE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** Writes, and waits while the reader is behind. */
export async function writeOut(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await new Promise<void>((resume) => stream.once('drain', () => resume()))
}

/** Resolves when everything that was written has left, or its reader is gone. */
export function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}
