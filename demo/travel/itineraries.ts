import { basename } from 'node:path'
import { readMarkdown, type Folder, type TextFile } from './folders.ts'

/** A Markdown file that says at its top, between two lines of dashes, what it is. */
export interface Paper extends TextFile {
  readonly kind: string
  /** The other lines at the top: `client`, `destination`, `from`, … */
  readonly facts: ReadonlyMap<string, string>
}

export interface Trip {
  readonly client: string
  readonly destination: string
  /** Dates as YYYY-MM-DD. */
  readonly from: string
  readonly to: string
}

/** Every paper of one kind inside the folders. */
export async function findPapers(folders: readonly Folder[], kind: 'itinerary' | 'template'): Promise<readonly Paper[]> {
  const papers: Paper[] = []
  for await (const file of readMarkdown(folders)) {
    const facts = readFacts(file.text)
    if (facts.get('kind') === kind) papers.push({ ...file, kind, facts })
  }
  return papers
}

/** A template is called after its file: `city-break.md` is `city-break`. */
export function nameOf(paper: Paper): string {
  return basename(paper.path, '.md')
}

/**
 * Fills a template: `$client`, `$destination`, `$from`, `$to`, `$nights`, and everything between
 * `<!-- each day -->` and `<!-- end -->` once for each day, with `$day` and `$number`.
 */
export function fillTemplate(template: string, trip: Trip): string {
  const days = listDays(trip)
  const facts = { ...trip, nights: String(days.length - 1) }

  const withDays = template
    .replaceAll('\r\n', '\n')
    .replaceAll(/<!-- each day -->\n\n?(.*?)<!-- end -->\n\n?/gs, (_all, part: string) =>
      days.map((day, index) => fill(part, { day: formatDay(day), number: String(index + 1) })).join(''),
    )
  return fill(withDays.replace(/^kind: template$/m, 'kind: itinerary'), facts)
}

/** The days of a trip, both ends included; none where the dates are no dates, or the wrong way round, or too far apart. */
export function listDays({ from, to }: Pick<Trip, 'from' | 'to'>): readonly Date[] {
  const [first, last] = [parseDay(from), parseDay(to)]
  if (first === undefined || last === undefined || last < first) return []
  const count = Math.round((last.getTime() - first.getTime()) / 86_400_000) + 1
  if (count > 60) return []
  return Array.from({ length: count }, (_unused, index) => new Date(first.getTime() + index * 86_400_000))
}

function readFacts(text: string): ReadonlyMap<string, string> {
  const [, top = ''] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? []
  const lines = top.split(/\r?\n/).map((line) => /^([a-z]+):\s*(.*?)\s*$/.exec(line))
  return new Map(lines.flatMap((line) => (line === null ? [] : [[line[1] ?? '', line[2] ?? '']])))
}

/** Placeholders that nobody knows stay as they are, for a person to fill in. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$([a-z]+)/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole))
}

function parseDay(text: string): Date | undefined {
  const day = new Date(`${text}T00:00:00Z`)
  // JavaScript takes the 31st of June for the 1st of July.
  return Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? undefined : day
}

function formatDay(day: Date): string {
  return day.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
}
