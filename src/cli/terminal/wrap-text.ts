import { wrapAnsi } from 'fast-wrap-ansi'

/** Stands between a label and its hint while both are wrapped as one: no letter of any writing. */
const SEAM = '\ue000'
/** After these a word that is longer than a line is best cut: paths, addresses, queries. */
const CUTS = /[^/\\?&,;]*[/\\?&,;]+|[^/\\?&,;]+/g
const CUT = '\u0000 '
const FEWEST = 20

/** Wraps between words, wherever that can be done, under the indentation that each line has itself. Paths and addresses are cut between their parts. */
export function wrapText(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)![0].slice(0, Math.max(0, columns - FEWEST))
      const width = Math.max(1, columns - indent.length)
      const wrapped = wrapAnsi(cuttable(line.trimStart(), width), width, { hard: true })
      return wrapped
        .replaceAll(/\0 ?/g, '')
        .split('\n')
        .map((part) => (part === '' ? part : indent + part))
        .join('\n')
    })
    .join('\n')
}

/** A choice of a menu, wrapped under itself; its hint goes on where the label ends. */
export function wrapChoice(label: string, hint: string | undefined, columns: number): { readonly label: string; readonly hint?: string } {
  const [above = '', below] = wrapText(hint === undefined ? label : `${label}${SEAM}(${hint})`, columns)
    .replaceAll('\n', '\n  ')
    .split(SEAM)
  return below === undefined ? { label: above } : { label: above, hint: below.slice(1, -1) }
}

function cuttable(line: string, width: number): string {
  return line.length <= width ? line : line.replaceAll(/[^ ]+/g, (word) => (word.length > width ? (word.match(CUTS) ?? [word]).join(CUT) : word))
}
