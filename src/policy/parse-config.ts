import { readForeignUri, type RootMapping } from '../paths/map-root.ts'
import type { Config, ConfigPlace, RootEntry } from './config.ts'
import { JsoncPlace } from './jsonc-place.ts'
import { readJsonc } from './read-jsonc.ts'
import { readModelEntry } from './read-model-entry.ts'
import { readRule } from './read-rule.ts'
import { readSamplingConfig } from './read-sampling-config.ts'
import { readServerEntry } from './read-server-entry.ts'
import { expandHome, findPathFault } from './user-path.ts'

/**
 * Reads `config.jsonc`. All or nothing: one fault anywhere, and nothing of the file counts.
 *
 * @throws ConsentryError `CONFIG_INVALID` with file, line and column of the first unknown key, wrong type or malformed path
 */
export function parseConfig(text: string, file: string, place: ConfigPlace): Config {
  const top = new JsoncPlace(readJsonc(text, file, 'CONFIG_INVALID')).members([
    'mcpServers',
    'roots',
    'rootMappings',
    'models',
    'rules',
    'sampling',
    'alwaysAsk',
  ])
  return {
    mcpServers: mapMembers(top.get('mcpServers'), (entry) => readServerEntry(entry, place), checkServerName),
    roots: mapMembers(top.get('roots'), (list) => list.elements().map((entry) => readRootEntry(entry, place))),
    rootMappings: mapMembers(
      top.get('rootMappings'),
      (mappings) => [...mappings.members()].map(([path, uri]) => readRootMapping(path, uri, place)),
      checkServerName,
    ),
    models: top.get('models')?.elements().map(readModelEntry) ?? [],
    rules: top.get('rules')?.elements().map(readRule) ?? [],
    sampling: readSamplingConfig(top.get('sampling')),
    alwaysAsk: top.get('alwaysAsk')?.boolean() ?? false,
  }
}

function mapMembers<Value>(
  object: JsoncPlace | undefined,
  read: (place: JsoncPlace) => Value,
  checkName: (name: string, place: JsoncPlace) => void = () => {},
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>()
  for (const [name, place] of object?.members() ?? []) {
    checkName(name, place)
    values.set(name, read(place))
  }
  return values
}

function checkServerName(name: string, place: JsoncPlace): void {
  if (name === '') throw place.fault('a server needs a name')
  if (name === '*') throw place.fault('"*" stands for every server, so that no server can be called so')
  if (/[\u0000-\u001F\u007F]/.test(name)) throw place.fault('the name of a server must not contain control characters')
}

function readRootEntry(place: JsoncPlace, { home, platform }: ConfigPlace): RootEntry {
  const members = place.members(['path', 'name', 'readOnly'])
  const path = members.get('path')
  if (path === undefined) throw place.fault('a root needs a "path"')
  const expanded = expandHome(path.text(), home, platform)
  const fault = findPathFault(expanded, platform)
  if (fault !== undefined) throw path.fault(`"path" ${fault}`)
  const name = members.get('name')?.text()
  const readOnly = members.get('readOnly')?.boolean()
  return { path: expanded, ...(name !== undefined && { name }), ...(readOnly !== undefined && { readOnly }) }
}

function readRootMapping(path: string, place: JsoncPlace, { home, platform }: ConfigPlace): RootMapping {
  const expanded = expandHome(path, home, platform)
  const fault = findPathFault(expanded, platform)
  if (fault !== undefined) throw place.fault(`the folder ${JSON.stringify(path)} ${fault}`)
  const uri = readForeignUri(place.text())
  if (uri === undefined) throw place.fault(`what the server calls ${JSON.stringify(path)} must be a file:// URI of a folder, percent-encoded`)
  return { path: expanded, uri }
}
