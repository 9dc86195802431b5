import type { Evidence, PackageKind } from './evidence.ts'
import type { FolderView } from './folder-view.ts'

const kinds: Readonly<Record<string, PackageKind>> = {
  'package.json': 'npm',
  'pyproject.toml': 'python',
  'setup.py': 'python',
  'setup.cfg': 'python',
  'Cargo.toml': 'cargo',
  'go.mod': 'go',
  'pom.xml': 'maven',
  'build.gradle': 'gradle',
  'build.gradle.kts': 'gradle',
  Gemfile: 'ruby',
  'composer.json': 'php',
  'CMakeLists.txt': 'cmake',
  'deno.json': 'deno',
  'deno.jsonc': 'deno',
  'mix.exs': 'elixir',
  'pubspec.yaml': 'dart',
  'Package.swift': 'swift',
}

/** The packages whose description lies in a folder. What the description says does not matter, not even whether it can be read. */
export async function findPackages(folder: FolderView): Promise<readonly Evidence<PackageKind>[]> {
  const found: Evidence<PackageKind>[] = []
  for (const [file, kind] of Object.entries(kinds)) {
    if ((await folder.kindOf(file)) === 'file') found.push({ kind, file })
  }
  return found
}
