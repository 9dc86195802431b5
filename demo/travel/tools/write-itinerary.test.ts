import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectTravel, eras, textOf, type Era } from '../connect-travel.ts'

const trip = { template: 'city-break', client: 'the Moreno sisters', destination: 'Rome', from: '2027-05-30', to: '2027-06-01', folder: 'travel-planning' }
let top = ''

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'travel-write-'))
  await cp(new URL('../workspace', import.meta.url), top, { recursive: true })
})

afterEach(() => rm(top, { recursive: true }))

async function write(
  input: Record<string, unknown>,
  { era = 'legacy', roots = ['travel-planning', 'travel-templates'] }: { era?: Era; roots?: string[] } = {},
) {
  const travel = await connectTravel(era, { roots: roots.map((path) => ({ uri: pathToFileURL(join(top, path)).href })) })
  const result = await travel.call('write_itinerary', { ...trip, ...input })
  await travel.close()
  return { isError: result.isError === true, text: textOf(result), uri: (result.structuredContent as { uri?: string } | undefined)?.uri }
}

test.each(eras)('writes a new itinerary from a template, in a new folder if need be (%s era)', async (era) => {
  const result = await write({ file: 'moreno/rome.md' }, { era })

  const path = join(top, 'travel-planning/moreno/rome.md')
  expect(result).toEqual({
    isError: false,
    text: 'Wrote moreno/rome.md in travel-planning: Rome for the Moreno sisters, 3 days, from the template city-break.',
    uri: pathToFileURL(path).href,
  })
  expect(await readFile(path, 'utf8')).toContain('kind: itinerary\nclient: the Moreno sisters\ndestination: Rome\nfrom: 2027-05-30\nto: 2027-06-01\n')
  expect(await readFile(path, 'utf8')).toContain('## Day 2, Monday 31 May')
})

test('what it wrote is listed from then on', async () => {
  await write({ file: 'rome.md' })
  const travel = await connectTravel('modern', { roots: [{ uri: pathToFileURL(join(top, 'travel-planning')).href }] })

  const result = await travel.call('list_trips')

  await travel.close()
  expect(textOf(result)).toContain('5 trips:')
})

test.each(['../outside.md', 'okafor/../../outside.md', '/tmp/travel-outside.md', '..', 'a/../../travel-planning-evil/x.md', 'x\0.md', '.'])(
  'never leaves its folder: %j',
  async (file) => {
    const before = await readdir(top, { recursive: true })

    const result = await write({ file: file.endsWith('.md') ? file : `${file}/x.md` })

    // "./x.md" is inside, and the only one that is.
    expect(result.isError).toBe(file !== '.')
    const added = (await readdir(top, { recursive: true })).filter((path) => !before.includes(path))
    expect(added).toEqual(file === '.' ? ['travel-planning/x.md'] : [])
  },
)

test('never leaves its folder through a link', async () => {
  await mkdir(join(top, 'elsewhere'))
  await symlink(join(top, 'elsewhere'), join(top, 'travel-planning/out'))
  await symlink(join(top, 'elsewhere/new.md'), join(top, 'travel-planning/dangling.md'))

  const results = [await write({ file: 'out/x.md' }), await write({ file: 'out/deeper/x.md' }), await write({ file: 'dangling.md' })]

  expect(results.map(({ isError }) => isError)).toEqual([true, true, true])
  expect(await readdir(join(top, 'elsewhere'))).toEqual([])
})

test('replaces a link itself when told to overwrite, never what it points to', async () => {
  await writeFile(join(top, 'precious.md'), 'precious')
  await symlink(join(top, 'precious.md'), join(top, 'travel-planning/link.md'))

  const result = await write({ file: 'link.md', overwrite: true })

  expect(result.isError).toBe(false)
  expect(await readFile(join(top, 'precious.md'), 'utf8')).toBe('precious')
})

test('replaces nothing unless told to', async () => {
  const file = 'park-family/barcelona-june.md'
  const before = await readFile(join(top, 'travel-planning', file), 'utf8')

  const refused = await write({ file })
  const kept = await readFile(join(top, 'travel-planning', file), 'utf8')
  const written = await write({ file, overwrite: true })

  expect([refused.isError, kept === before, written.isError]).toEqual([true, true, false])
  expect(refused.text).toContain('is there already')
  expect(await readFile(join(top, 'travel-planning', file), 'utf8')).toContain('the Moreno sisters')
  expect(await readdir(join(top, 'travel-planning/park-family'))).toEqual(['barcelona-june.md'])
})

test('a template outside the folders is as good as none', async () => {
  const result = await write({ file: 'rome.md' }, { roots: ['travel-planning'] })

  expect(result.text).toBe('There is no template called "city-break" in the folders I was told. There is none at all. Nothing was written.')
})

test('an unknown template, and a folder that was not named, are answered with what there is', async () => {
  const template = await write({ file: 'rome.md', template: 'cruise' })
  const folder = await write({ file: 'rome.md', folder: 'client-documents' })

  expect(template.text).toContain('There is: beach-week, business-trip, city-break.')
  expect(folder.text).toContain('There is: travel-planning, travel-templates.')
})

test('with several folders and none named, it asks which one instead of guessing', async () => {
  const travel = await connectTravel('modern', { roots: ['travel-planning', 'travel-templates'].map((path) => ({ uri: pathToFileURL(join(top, path)).href })) })
  const { folder: _folder, ...unnamed } = trip

  const result = await travel.call('write_itinerary', { ...unnamed, file: 'rome.md' })

  await travel.close()
  expect(textOf(result)).toBe('Which folder? There is: travel-planning, travel-templates. Nothing was written.')
})

test.each([
  { input: { from: '2027-06-31' }, says: 'is no trip' },
  { input: { from: '2027-06-02', to: '2027-06-01' }, says: 'is no trip' },
  { input: { file: 'rome.txt' }, says: 'has to end in .md' },
  { input: { client: 'a\nstatus: paid' }, says: 'These arguments do not fit' },
])('$input is refused before anybody is asked', async ({ input, says }) => {
  const result = await write({ file: 'rome.md', ...input }, { roots: [] })

  expect(result).toMatchObject({ isError: true, text: expect.stringContaining(says) })
})

test('told no folder, it writes nothing', async () => {
  const result = await write({ file: 'rome.md' }, { roots: [] })

  expect(result).toMatchObject({ isError: true, text: expect.stringContaining('I was told no folder') })
})
