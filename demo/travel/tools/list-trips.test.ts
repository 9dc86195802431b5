import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTravel, eras, textOf } from '../connect-travel.ts'

let top = ''

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'travel-list-'))
  await cp(new URL('../workspace', import.meta.url), join(top, 'workspace'), { recursive: true })
})

afterAll(() => rm(top, { recursive: true }))

function root(path: string, name?: string): { uri: string; name?: string } {
  return { uri: pathToFileURL(join(top, path)).href, ...(name !== undefined && { name }) }
}

test.each(eras)('lists the trips of the folders that it was told, earliest first, in the %s era', async (era) => {
  const travel = await connectTravel(era, { roots: [root('workspace/travel-planning', 'Travel Planning Workspace'), root('workspace/client-documents')] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result).split('\n')).toEqual([
    '4 trips:',
    '- 2027-03-12 to 2027-03-15: Lisbon, Portugal, for Ada Okafor (booked) - Travel Planning Workspace/okafor/lisbon-long-weekend.md',
    '- 2027-04-03 to 2027-04-14: Kyoto, Japan, for Elsa and Nils Lindqvist (proposed) - Travel Planning Workspace/lindqvist/kyoto-in-april.md',
    '- 2027-06-15 to 2027-06-22: Barcelona, Spain, for the Park family (waiting for confirmation) - Travel Planning Workspace/park-family/barcelona-june.md',
    '- 2027-10-28 to 2027-11-03: Oaxaca, Mexico, for the Reyes wedding party (draft) - Travel Planning Workspace/reyes/oaxaca-wedding.md',
    '',
    'I looked in Travel Planning Workspace, client-documents.',
  ])
})

test.each(eras)('a narrower folder shows less in the %s era', async (era) => {
  const travel = await connectTravel(era, { roots: [root('workspace/travel-planning/okafor')] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect((result.structuredContent as { trips: { client: string }[] }).trips.map(({ client }) => client)).toEqual(['Ada Okafor'])
})

test('a root may be a single file, and a file told twice is listed once', async () => {
  const file = 'workspace/travel-planning/okafor/lisbon-long-weekend.md'
  const travel = await connectTravel('legacy', { roots: [root(file), root('workspace/travel-planning/okafor')] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result)).toContain('1 trip:')
})

test.each(eras)('told no folder, it looks nowhere and says what to do, in the %s era', async (era) => {
  const travel = await connectTravel(era, { roots: [] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result)).toContain('I was told no folder, so I looked nowhere.')
  expect(result.structuredContent).toEqual({ trips: [] })
})

test('a folder that is gone is named, and the others are still read', async () => {
  const travel = await connectTravel('legacy', { roots: [root('workspace/travel-planning/okafor'), root('workspace/gone', 'Old trips')] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result)).toContain('1 trip:')
  expect(textOf(result)).toContain('Old trips cannot be read, or is not there any more.')
})

test('links that lead out of the folder are not followed', async () => {
  await mkdir(join(top, 'linked'))
  await symlink(join(top, 'workspace/travel-planning'), join(top, 'linked/planning'))
  await symlink(join(top, 'workspace/travel-planning/okafor/lisbon-long-weekend.md'), join(top, 'linked/lisbon.md'))
  const travel = await connectTravel('legacy', { roots: [root('linked')] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result)).toContain('There is no itinerary in these folders yet')
})

test('a file that only looks like an itinerary inside its text is none', async () => {
  await mkdir(join(top, 'odd'))
  await writeFile(join(top, 'odd/a.md'), 'Some text\n---\nkind: itinerary\n---\n')
  await writeFile(join(top, 'odd/b.md'), '---\nkind: itinerary\n---\nNo facts at all\n')
  const travel = await connectTravel('legacy', { roots: [root('odd')] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result)).toContain('- ? to ?: ?, for ? (?) - odd/b.md')
  expect(textOf(result)).not.toContain('a.md')
})

test('a client that answers with an error is quoted', async () => {
  const travel = await connectTravel('legacy', { roots: [] })
  travel.client.setRequestHandler('roots/list', () => Promise.reject(new Error('Roots not supported')))

  const result = await travel.call('list_trips')

  await travel.close()
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('Roots not supported')
})
