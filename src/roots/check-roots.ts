import { openNodeDisk, optionalText, readDisk, readRootPath, readRootUri, requireOneOf, requireText, type Disk, type Platform } from '../paths/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import { detectWorkspace } from './detect-workspace.ts'

const platforms: readonly Platform[] = ['posix', 'win32']

/**
 * Answers one line of `consentry check roots`: which canonical URI a root becomes, or why it is refused. No disk is touched.
 *
 * @throws ConsentryError `USAGE` when a key is missing or of the wrong kind
 */
export function checkRoots(input: JsonObject): Promise<JsonObject> {
  const given = requireText(input, 'given')
  const platform = requireOneOf(input, 'platform', platforms)
  const form = optionalText(input, 'form') === undefined ? 'uri' : requireOneOf(input, 'form', ['uri', 'path'])
  const reading = form === 'path' ? readRootPath(given, platform, { home: optionalText(input, 'home') }) : readRootUri(given, platform)
  return Promise.resolve(reading.ok ? { uri: reading.uri } : { refuse: true, reason: reading.reason })
}

/**
 * Answers one line of `consentry check workspace-detect`, on the disk that it describes or on the real one.
 *
 * @throws ConsentryError `USAGE` when a key is missing or of the wrong kind
 */
export async function checkWorkspaceDetect(
  input: JsonObject,
  { openDisk = openNodeDisk }: { readonly openDisk?: (() => Disk) | undefined } = {},
): Promise<JsonObject> {
  const [start, home] = [requireText(input, 'start'), requireText(input, 'home')]
  const [best] = await detectWorkspace(start, { disk: readDisk(input, 'posix', openDisk), home })
  return { best: best.path, level: best.level, evidence: best.evidence.map(({ kind, file }) => `${kind}: ${file}`) }
}
