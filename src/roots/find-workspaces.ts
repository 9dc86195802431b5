import type { Evidence, WorkspaceKind } from './evidence.ts'
import type { FolderView } from './folder-view.ts'
import type { MemberList } from './member-list.ts'
import { extendsTurbo, hasMavenModules, readCargoWorkspace, readGoWork, readNpmWorkspaces, readPnpmWorkspace, readUvWorkspace } from './workspace-files.ts'

/** A workspace, with the packages below it that it counts as its own. */
export interface Workspace extends Evidence<WorkspaceKind> {
  readonly members: MemberList
}

interface WorkspaceFile {
  readonly kind: WorkspaceKind
  /** Undefined: the file makes no workspace. Without a text, it could not be read. */
  readonly read: (text: string | undefined) => MemberList | undefined
}

const EVERYTHING: MemberList = {}
const always = (): MemberList => EVERYTHING
const ifReadable =
  (read: (text: string) => MemberList | undefined) =>
  (text: string | undefined): MemberList | undefined =>
    text === undefined ? undefined : read(text)

const files: Readonly<Record<string, WorkspaceFile>> = {
  'package.json': { kind: 'npm-workspaces', read: ifReadable(readNpmWorkspaces) },
  'pnpm-workspace.yaml': { kind: 'pnpm-workspace', read: (text) => (text === undefined ? EVERYTHING : readPnpmWorkspace(text)) },
  'pyproject.toml': { kind: 'uv-workspace', read: ifReadable(readUvWorkspace) },
  'Cargo.toml': { kind: 'cargo-workspace', read: ifReadable(readCargoWorkspace) },
  'go.work': { kind: 'go-work', read: (text) => (text === undefined ? EVERYTHING : readGoWork(text)) },
  'nx.json': { kind: 'nx', read: always },
  'turbo.json': { kind: 'turbo', read: unlessExtending },
  'turbo.jsonc': { kind: 'turbo', read: unlessExtending },
  'lerna.json': { kind: 'lerna', read: always },
  'rush.json': { kind: 'rush', read: always },
  'pom.xml': { kind: 'maven-modules', read: ifReadable((text) => (hasMavenModules(text) ? EVERYTHING : undefined)) },
  'settings.gradle': { kind: 'gradle-settings', read: always },
  'settings.gradle.kts': { kind: 'gradle-settings', read: always },
  'MODULE.bazel': { kind: 'bazel', read: always },
  WORKSPACE: { kind: 'bazel', read: always },
  'WORKSPACE.bazel': { kind: 'bazel', read: always },
}

/** The workspaces whose description lies in a folder. */
export async function findWorkspaces(folder: FolderView): Promise<readonly Workspace[]> {
  const found: Workspace[] = []
  for (const [file, { kind, read }] of Object.entries(files)) {
    if ((await folder.kindOf(file)) !== 'file') continue
    const members = read === always ? EVERYTHING : read(await folder.readText(file))
    if (members) found.push({ kind, file, members })
  }
  for (const file of folder.names.filter((name) => name.endsWith('.code-workspace'))) {
    if ((await folder.kindOf(file)) === 'file') found.push({ kind: 'code-workspace', file, members: EVERYTHING })
  }
  return found
}

function unlessExtending(text: string | undefined): MemberList | undefined {
  return text !== undefined && extendsTurbo(text) ? undefined : EVERYTHING
}
