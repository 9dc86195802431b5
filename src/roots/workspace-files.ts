import { isJsonObject } from '../protocol/index.ts'
import type { MemberList } from './member-list.ts'
import { scanTomlTable } from './toml-table.ts'

/** Members of an npm or yarn workspace; undefined where the text is not that of one. */
export function readNpmWorkspaces(text: string): MemberList | undefined {
  const manifest = parseJson(text)
  const workspaces = isJsonObject(manifest) && Object.hasOwn(manifest, 'workspaces') ? manifest['workspaces'] : undefined
  if (Array.isArray(workspaces)) return { members: textsOf(workspaces) }
  if (!isJsonObject(workspaces)) return undefined
  const packages = Object.hasOwn(workspaces, 'packages') ? workspaces['packages'] : undefined
  return Array.isArray(packages) ? { members: textsOf(packages) } : {}
}

/** Members of a pnpm workspace: the list under `packages`, in either of YAML's spellings. */
export function readPnpmWorkspace(text: string): MemberList {
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((line) => /^(?:packages|"packages"|'packages')\s*:/.test(line))
  if (start < 0) return {}
  const rest = withoutYamlComment(lines[start]!.slice(lines[start]!.indexOf(':') + 1))
  if (rest.startsWith('[')) return { members: readFlowList([rest, ...lines.slice(start + 1).map(withoutYamlComment)].join(' ')) }
  const members: string[] = []
  for (const line of lines.slice(start + 1)) {
    const item = withoutYamlComment(line)
    if (item === '') continue
    if (!/^-(?:\s|$)/.test(item)) break
    members.push(unquoted(item.slice(1).trim()))
  }
  return members.length > 0 ? { members } : {}
}

/** Members of a Go workspace: what it uses. */
export function readGoWork(text: string): MemberList {
  const members: string[] = []
  let isInBlock = false
  for (const line of text.split('\n')) {
    const words = line.split('//')[0]!.trim()
    if (isInBlock && words === ')') isInBlock = false
    else if (isInBlock && words !== '') members.push(unquoted(words))
    else if (/^use\s*\($/.test(words)) isInBlock = true
    else if (/^use\s/.test(words)) members.push(unquoted(words.slice(3).trim()))
  }
  return members.length > 0 ? { members } : {}
}

export function readCargoWorkspace(text: string): MemberList | undefined {
  return readTomlWorkspace(text, 'workspace')
}

export function readUvWorkspace(text: string): MemberList | undefined {
  return readTomlWorkspace(text, 'tool.uv.workspace')
}

/** A `turbo.json` that extends another belongs to a package. */
export function extendsTurbo(text: string): boolean {
  const config = parseJson(text)
  return isJsonObject(config) ? Object.hasOwn(config, 'extends') : /"extends"\s*:/.test(text)
}

/** Whether a `pom.xml` names modules outside its comments. */
export function hasMavenModules(text: string): boolean {
  const [head = '', ...commented] = text.split('<!--')
  const plain = head + commented.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : '')).join('')
  const modules = plain.indexOf('<modules>')
  return modules >= 0 && plain.includes('<module>', modules)
}

function readTomlWorkspace(text: string, table: string): MemberList | undefined {
  const lists = scanTomlTable(text, table, ['members', 'exclude'])
  return lists && { members: lists.get('members'), excluded: lists.get('exclude') }
}

function readFlowList(text: string): readonly string[] {
  const end = text.indexOf(']')
  return text
    .slice(1, end < 0 ? undefined : end)
    .split(',')
    .map((item) => unquoted(item.trim()))
    .filter((item) => item !== '')
}

/** In YAML a `#` begins a comment only at the beginning or after a blank. */
function withoutYamlComment(line: string): string {
  const text = line.trim()
  if (text.startsWith('#')) return ''
  const comment = text.search(/\s#/)
  return comment < 0 ? text : text.slice(0, comment).trim()
}

function unquoted(text: string): string {
  return text.replace(/^(["'`])(.*)\1$/s, '$2')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((item) => typeof item === 'string')
}
