import type { Layout } from './boundary.ts'

/** The folders of a server, for a person. */
export function sayRoots({ roots }: Layout): string {
  if (roots.length === 0) return 'it has no folder of yours'
  return roots.map(({ path, access }) => `${path} (${access === 'read' ? 'read only' : 'read and write'})`).join(', ')
}

/** What it can read besides, but for the system's own. */
export function sayReadable({ readable }: Layout): string {
  const own = readable.filter((path) => !/^\/(?:usr|bin|sbin|lib\w*|etc|private|System|Library|nix|gnu)(?:\/|$)/.test(path))
  return own.length === 0 ? 'nothing else' : own.join(', ')
}

/** What is kept from it inside of its folders. */
export function sayHidden({ hidden }: Layout, how: string): readonly string[] {
  return hidden.length > 0 ? [`inside of its folders these ${how}: ${hidden.join(', ')}`] : []
}
