import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { openFolders, writeInside, type Folder } from '../folders.ts'
import { fillTemplate, findPapers, listDays, nameOf, type Trip } from '../itineraries.ts'
import { defineTool, failure, say, type TravelTool } from '../tool.ts'
import { describeNoFolders } from './describe-no-folders.ts'

interface Input extends Trip {
  readonly template: string
  readonly file: string
  readonly folder?: string
  readonly overwrite?: boolean
}

/** One line: a client's name that brings its own line breaks would write lines of its own. */
const line = { type: 'string', minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]+$' } as const
const day = { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } as const

const inputSchema = {
  type: 'object',
  properties: {
    template: { ...line, description: 'Which template to use: the name of its file, without .md (for example city-break)' },
    file: { ...line, description: 'Where to write it, relative to the folder, ending in .md (for example moreno/rome-in-may.md)' },
    folder: { ...line, description: 'Which of your folders to write in, by name; may be left out if there is only one' },
    client: { ...line, description: 'Who travels' },
    destination: { ...line, description: 'Where to' },
    from: { ...day, description: 'First day, YYYY-MM-DD' },
    to: { ...day, description: 'Last day, YYYY-MM-DD, at most 60 days in all' },
    overwrite: { type: 'boolean', default: false, description: 'Replace the file if it is there already' },
  },
  required: ['template', 'file', 'client', 'destination', 'from', 'to'],
  additionalProperties: false,
} as const

/** Writes a new itinerary from a template; both are inside the folders that the client told. */
export const writeItinerary: TravelTool = defineTool<Input>({
  name: 'write_itinerary',
  title: 'Write an itinerary',
  description:
    'Writes a new itinerary from a template. It asks which folders it may use (roots), takes the template from them, writes inside them only, and replaces a file only if you say so.',
  input: fromJsonSchema<Input>(inputSchema),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  requires: { roots: {} },

  async run({ template: wanted, file, folder: named, overwrite = false, ...trip }, conversation) {
    const days = listDays(trip)
    if (days.length === 0) return failure(`${trip.from} to ${trip.to} is no trip of 1 to 60 days. Nothing was written.`)
    if (!file.endsWith('.md')) return failure(`An itinerary is a Markdown file: "${file}" has to end in .md. Nothing was written.`)

    const asked = await conversation.ask('folders', { method: 'roots/list' })
    if (asked.outcome === 'pending') return asked.result
    if (asked.outcome === 'refused') return failure(`I was not told any folder: ${asked.reason}. Nothing was written.`)

    const { usable, unusable } = await openFolders(asked.answer.roots)
    if (usable.length === 0) return failure(describeNoFolders(unusable))

    const templates = await findPapers(usable, 'template')
    const template = templates.find((paper) => nameOf(paper) === wanted)
    if (template === undefined) return failure(`${describeChoice('template', wanted, templates.map(nameOf))} Nothing was written.`)

    const folders = usable.filter(({ kind }) => kind === 'folder')
    const folder = chooseFolder(folders, named)
    if (folder === undefined) return failure(`${describeChoice('folder', named, folders.map(nameOfFolder))} Nothing was written.`)

    const written = await writeInside(folder, file, fillTemplate(template.text, trip), overwrite)
    if ('refused' in written) return failure(`${written.refused}. Nothing was written.`)
    return say(`Wrote ${file} in ${folder.name}: ${trip.destination} for ${trip.client}, ${days.length} days, from the template ${wanted}.`, {
      uri: pathToFileURL(written.path).href,
      days: days.length,
    })
  },
})

function chooseFolder(folders: readonly Folder[], named: string | undefined): Folder | undefined {
  if (named === undefined) return folders.length === 1 ? folders[0] : undefined
  return folders.find(({ name }) => name === named) ?? folders.find(({ path }) => basename(path) === named)
}

function nameOfFolder(folder: Folder): string {
  return folder.name
}

function describeChoice(what: string, wanted: string | undefined, names: readonly string[]): string {
  const problem = wanted === undefined ? `Which ${what}?` : `There is no ${what} called "${wanted}" in the folders I was told.`
  return names.length === 0 ? `${problem} There is none at all.` : `${problem} There is: ${names.join(', ')}.`
}
