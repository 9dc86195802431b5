import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRootPath, readRootUri } from './file-uri.ts'
import { mapRoot, readForeignUri } from './map-root.ts'

const mappings = [
  { path: '/home/u/projects', uri: 'file:///workspace' },
  { path: '/home/u/projects/app/data', uri: 'file:///mnt/data' },
  { path: '/srv/share', uri: 'file:///before' },
  { path: '/srv/share/', uri: 'file:///C:/share' },
]

test.each([
  ['/home/u/projects', 'file:///workspace'],
  ['/home/u/projects/app', 'file:///workspace/app'],
  ['/home/u/projects/app/data/2026', 'file:///mnt/data/2026'],
  ['/home/u/projects/a b#c%', 'file:///workspace/a%20b%23c%25'],
  ['/home/u/projects/../projects/app/', 'file:///workspace/app'],
  ['/srv/share/x', 'file:///C:/share/x'],
  ['/home/u/projects-old', undefined],
  ['/home/u', undefined],
  ['/Home/u/projects', undefined],
  ['relative', undefined],
])('%s is known there as %s', (path, uri) => {
  expect(mapRoot(path, mappings, 'posix')).toBe(uri)
})

test('drives and shares are compared as Windows compares them', () => {
  const windows = [
    { path: 'C:\\Projects', uri: 'file:///workspace' },
    { path: '\\\\nas\\Media', uri: 'file:///media' },
  ]

  expect(['c:\\projects\\App', '\\\\NAS\\media\\x', 'D:\\projects'].map((path) => mapRoot(path, windows, 'win32'))).toEqual([
    'file:///workspace/App',
    'file:///media/x',
    undefined,
  ])
})

test('whatever a folder is called, its mapped URI is one that would be read, and leads back to its name', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => readRootPath(`/home/u/projects/${text}`, 'posix').ok && !/[/]|^\.{1,2}$/.test(text))

  fc.assert(
    fc.property(name, (text) => {
      expect(readRootUri(mapRoot(`/home/u/projects/${text}`, mappings, 'posix')!, 'posix')).toMatchObject({ ok: true, path: `/workspace/${text}` })
    }),
  )
})

test.each([
  ['file:///workspace/', 'file:///workspace'],
  ['file:///c:/work', 'file:///C:/work'],
  ['file://wsl$/Ubuntu/home', 'file://wsl$/Ubuntu/home'],
  ['/workspace', undefined],
  ['file:///a/../b', undefined],
  ['https://x.example/', undefined],
  ['file:///', undefined],
])('%s is the URI %s of a machine of some kind', (text, uri) => {
  expect(readForeignUri(text)).toBe(uri)
})
