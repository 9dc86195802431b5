import { relative } from 'node:path'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { openFolders } from '../folders.ts'
import { findPapers, type Paper } from '../itineraries.ts'
import { defineTool, failure, say, type TravelTool } from '../tool.ts'
import { describeNoFolders } from './describe-no-folders.ts'

/** Lists the itineraries inside the folders that the client told, and looks nowhere else. */
export const listTrips: TravelTool = defineTool({
  name: 'list_trips',
  title: 'List trips',
  description: 'Lists the itineraries in your travel folders. It asks which folders it may use (roots), and reads nothing outside them.',
  input: fromJsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  requires: { roots: {} },

  async run(_input, conversation) {
    const asked = await conversation.ask('folders', { method: 'roots/list' })
    if (asked.outcome === 'pending') return asked.result
    if (asked.outcome === 'refused') return failure(`I was not told any folder: ${asked.reason}`)

    const { usable, unusable } = await openFolders(asked.answer.roots)
    if (usable.length === 0) return say(describeNoFolders(unusable), { trips: [] })

    const trips = (await findPapers(usable, 'itinerary')).toSorted((left, right) => startOf(left).localeCompare(startOf(right)))
    const looked = `I looked in ${usable.map((folder) => folder.name).join(', ')}.`
    return say([countTrips(trips.length), ...trips.map(describe), '', looked, ...unusable].join('\n'), { trips: trips.map(summarize) })
  },
})

function startOf(trip: Paper): string {
  return trip.facts.get('from') ?? ''
}

function describe(trip: Paper): string {
  const { client, destination, from, to, status } = summarize(trip)
  return `- ${from} to ${to}: ${destination}, for ${client} (${status}) - ${placeOf(trip)}`
}

function summarize(trip: Paper): Record<string, string> {
  const fact = (name: string): string => trip.facts.get(name) ?? '?'
  return { client: fact('client'), destination: fact('destination'), from: fact('from'), to: fact('to'), status: fact('status'), path: trip.path }
}

function placeOf({ folder, path }: Paper): string {
  return folder.kind === 'file' ? folder.name : `${folder.name}/${relative(folder.path, path)}`
}

function countTrips(count: number): string {
  if (count === 0) return 'There is no itinerary in these folders yet; write_itinerary makes one.'
  return count === 1 ? '1 trip:' : `${count} trips:`
}
