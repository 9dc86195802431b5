import { expect, test } from 'vitest'
import { checkContainment } from '../paths/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import { checkRoots, checkWorkspaceDetect } from './check-roots.ts'

const usage = expect.objectContaining({ code: 'USAGE' })

test('check roots says which URI a root becomes, or why it is refused', async () => {
  expect(await checkRoots({ given: 'file:///w/%61pp/', platform: 'posix' })).toEqual({ uri: 'file:///w/app' })
  expect(await checkRoots({ given: '~/a b', platform: 'posix', form: 'path', home: '/home/u' })).toEqual({ uri: 'file:///home/u/a%20b' })
  expect(await checkRoots({ given: '/w', platform: 'posix' })).toEqual({
    refuse: true,
    reason: 'A root is a file:// URI, and this does not begin with file://.',
  })
})

test('check workspace-detect judges the described disk', async () => {
  expect(await checkWorkspaceDetect({ start: '/w/src', home: '/home/u', tree: { dirs: ['/w/src'], files: { '/w/go.mod': '' } } })).toEqual({
    best: '/w',
    level: 'ok',
    evidence: ['go: go.mod'],
  })
})

test('check containment judges the described disk', async () => {
  const question = { platform: 'posix', roots: ['/r'], op: 'read', tree: { dirs: ['/r'], links: { '/r/l': '/x' } } }

  expect(await checkContainment({ ...question, path: '/r/f' })).toEqual({ verdict: 'allow', reason: 'It lies in a granted root, at /r/f.' })
  expect(await checkContainment({ ...question, path: '/r/l' })).toEqual({ verdict: 'deny', reason: 'The path does not lie in any granted root.' })
})

test.each<[(input: JsonObject) => Promise<JsonObject>, JsonObject]>([
  [checkRoots, { platform: 'posix' }],
  [checkRoots, { given: '/w' }],
  [checkRoots, { given: 7, platform: 'posix' }],
  [checkRoots, { given: '/w', platform: 'vms' }],
  [checkRoots, { given: '/w', platform: 'posix', form: 'text' }],
  [checkWorkspaceDetect, { start: '/w' }],
  [checkWorkspaceDetect, { start: '/w', home: '/h', tree: [] }],
  [checkWorkspaceDetect, { start: '/w', home: '/h', tree: { dirs: '/w' } }],
  [checkWorkspaceDetect, { start: '/w', home: '/h', tree: { files: { '/w/x': 1 } } }],
  [checkContainment, { platform: 'posix', path: '/r', op: 'read' }],
  [checkContainment, { platform: 'posix', path: '/r', op: 'run', roots: [] }],
  [checkContainment, { platform: 'posix', path: '/r', op: 'read', roots: [1] }],
  [checkContainment, { platform: 'posix', path: '/r', op: 'read', roots: [], granted: [] }],
])('%o with %j is wrong usage', async (check, input) => {
  await expect((async () => check(input))()).rejects.toThrow(usage)
})
