import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

export const projectFolder: string = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** From the project's folder, with forward slashes. */
  readonly path: string
  readonly text: string
  /** What is imported, type imports and `import()` included, as written. */
  readonly imports: readonly string[]
}

const IMPORT = /(?:^|[\s;])(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export function readSources(folder: string, { tests }: { readonly tests: boolean }): readonly SourceFile[] {
  return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules') && (tests || !name.endsWith('.test.ts')))
    .map((name) => {
      const path = join(folder, name).split(sep).join('/')
      const text = readFileSync(join(projectFolder, path), 'utf8')
      return { path, text, imports: [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2]!) }
    })
}

/** Where a relative import leads, from the project's folder. */
export function targetOf({ path }: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return relative(projectFolder, join(projectFolder, path, '..', specifier))
    .split(sep)
    .join('/')
}
