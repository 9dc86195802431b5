import { encodeName, readRootUri } from './file-uri.ts'
import { isWithin, placeAt, type Platform } from './place.ts'

/** How a server that has other files than this machine (in a container, in WSL, on another host) knows a folder of ours. */
export interface RootMapping {
  /** Absolute, here. */
  readonly path: string
  /** Canonical, there. */
  readonly uri: string
}

/** The URI of a folder where the server runs: the longest mapped folder around it counts, of two mappings of one folder the last. Undefined where none is mapped. Both are places of whole names, never texts. */
export function mapRoot(path: string, mappings: readonly RootMapping[], platform: Platform): string | undefined {
  const place = placeAt(path, platform)
  if (!place) return undefined
  const found = mappings
    .flatMap(({ path: mapped, uri }) => {
      const outer = placeAt(mapped, platform)
      return outer && isWithin(place, outer) ? [{ depth: outer.names.length, uri }] : []
    })
    .toSorted((one, other) => one.depth - other.depth)
    .at(-1)
  return found && [found.uri, ...place.names.slice(found.depth).map(encodeName)].join('/')
}

/** The canonical form of a URI on a machine of either kind; undefined where it is none. */
export function readForeignUri(text: string): string | undefined {
  const reading = (['posix', 'win32'] as const).map((platform) => readRootUri(text, platform)).find(({ ok }) => ok)
  return reading?.ok ? reading.uri : undefined
}
