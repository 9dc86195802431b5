import { ConsentryError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { memberOf, optionalText, readDisk, requireOneOf, requireText, requireTexts } from './check-input.ts'
import { judgePath, type Operation } from './containment.ts'
import type { Disk } from './disk.ts'
import { openNodeDisk } from './node-disk.ts'
import type { Platform } from './place.ts'

const platforms: readonly Platform[] = ['posix', 'win32']
const operations: readonly Operation[] = ['read', 'write', 'list', 'create']

/**
 * Answers one line of `consentry check containment`.
 *
 * @throws ConsentryError `USAGE` when a key is missing or of the wrong kind
 */
export async function checkContainment(
  input: JsonObject,
  { openDisk = openNodeDisk }: { readonly openDisk?: (() => Disk) | undefined } = {},
): Promise<JsonObject> {
  const platform = requireOneOf(input, 'platform', platforms)
  const granted = memberOf(input, 'granted') ?? {}
  if (!isJsonObject(granted)) throw new ConsentryError('USAGE', '"granted" must be an object: the real path by root.')
  const question = {
    roots: requireTexts(input, 'roots').map((path) => ({ path, granted: optionalText(granted, path) })),
    path: requireText(input, 'path'),
    operation: requireOneOf(input, 'op', operations),
  }
  const verdict = await judgePath(question, readDisk(input, platform, openDisk))
  return verdict.verdict === 'allow'
    ? { verdict: 'allow', reason: `It lies in a granted root, at ${verdict.place}.` }
    : { verdict: 'deny', reason: verdict.reason }
}
