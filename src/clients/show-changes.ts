import type { ClientDocument, EntryChange } from './client-document.ts'

/** Of a line that everything stands on, an entry alone is shown. */
const LONGEST_BEGINNING = 60

/** The changes of a file as people read them: each entry with its line, and `-` and `+` before what goes and what comes. */
export function showChanges({ text, file }: ClientDocument, changes: readonly EntryChange[]): string {
  const shown = changes.toSorted((one, other) => one.entry.offset - other.entry.offset).flatMap((change) => showChange(text, change))
  return `${[`--- ${file}`, `+++ ${file}`, ...shown].join('\n')}\n`
}

function showChange(text: string, { entry, after }: EntryChange): readonly string[] {
  const start = text.lastIndexOf('\n', entry.offset - 1) + 1
  const beginning = entry.offset - start > LONGEST_BEGINNING ? '' : text.slice(start, entry.offset)
  const old = linesOf(`${beginning}${entry.text}`)
  const fresh = linesOf(`${beginning}${after}`)
  const most = Math.min(old.length, fresh.length)
  let head = 0
  while (head < most && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  return [
    `@@ ${entry.name}, line ${linesOf(text.slice(0, entry.offset)).length} @@`,
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ]
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/)
}
