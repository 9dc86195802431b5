/** What a server is held to, where its entry or the command line says so: its roots, and with `isOffline` no network. */
export interface SandboxWish {
  readonly isOffline: boolean
}

/** How a server that does not ask for roots learns of them when it is started. */
export type RootsTo = { readonly kind: 'arguments' } | { readonly kind: 'environment'; readonly name: string }

/** What is done to a server's command before it is started. */
export interface StartWishes {
  readonly sandbox?: SandboxWish | undefined
  /** More files and folders that a held server may read. */
  readonly sandboxRead?: readonly string[] | undefined
  readonly rootsTo?: RootsTo | undefined
}

/** Whether a server is given its folders when it is started, so that other ones reach it with a fresh start only. */
export function fixesFolders({ sandbox, rootsTo }: StartWishes): boolean {
  return sandbox !== undefined || rootsTo !== undefined
}

/** Reads `roots` or `roots,offline`; undefined where it is neither. */
export function readSandboxWish(text: string): SandboxWish | undefined {
  const words = text.split(',').map((word) => word.trim())
  return words.includes('roots') && words.every((word) => word === 'roots' || word === 'offline') ? { isOffline: words.includes('offline') } : undefined
}

export const sandboxForms = '"roots", or "roots,offline"'

/** Reads `arguments` or `env:NAME`; undefined where it is neither. */
export function readRootsTo(text: string): RootsTo | undefined {
  if (text === 'arguments') return { kind: 'arguments' }
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1]
  return name === undefined ? undefined : { kind: 'environment', name }
}

export const rootsToForms = '"arguments", or "env:NAME"'
