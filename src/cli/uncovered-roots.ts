import { realpathSync } from 'node:fs'
import { readRootUri } from '../paths/file-uri.ts'
import { isWithin, placeAt } from '../paths/place.ts'
import type { InputKind, InputResponse, Root } from '../protocol/index.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { HeldFolder } from '../sandbox/index.ts'

/**
 * What a person should know where a held server is told other folders than it was started with: the sandbox is neither widened nor narrowed under a running server.
 *
 * @param held undefined for a server that is not held
 */
export function uncovered(held: readonly HeldFolder[] | undefined, kind: InputKind, response: InputResponse): readonly string[] {
  if (held === undefined || kind !== 'roots' || response.outcome !== 'answered') return []
  const told = toldPaths(response).flatMap((path) => placeAt(realPathOf(path), 'posix') ?? [])
  const places = held.flatMap(({ path }) => placeAt(path, 'posix') ?? [])
  const more = told.filter((place) => !places.some((one) => isWithin(place, one)))
  const fewer = places.filter((place) => !told.some((one) => isWithin(place, one) || isWithin(one, place)))
  return [
    ...more.map(({ names }) => `it is told of /${names.join('/')}, and the sandbox that it was started in does not let it in: start it afresh for that`),
    ...fewer.map(({ names }) => `/${names.join('/')} is told no longer, and it can reach it until it is started afresh`),
  ]
}

/** What an answer tells. */
export function toldList({ result: { roots } }: Extract<InputResponse, { readonly outcome: 'answered' }>): readonly Root[] {
  return (Array.isArray(roots) ? roots : []).flatMap((root) => {
    const { uri, name } = isJsonObject(root) ? root : {}
    return typeof uri === 'string' ? [typeof name === 'string' ? { uri, name } : { uri }] : []
  })
}

/** The folders of an answer; where servers are held, paths are those of Linux. */
export function toldPaths(response: Extract<InputResponse, { readonly outcome: 'answered' }>): readonly string[] {
  return toldList(response).flatMap(({ uri }) => {
    const reading = readRootUri(uri, 'posix')
    return reading.ok ? [reading.path] : []
  })
}

/** The path itself where nothing lies there. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
