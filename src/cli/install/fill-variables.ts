import { basename, sep } from 'node:path'

export interface VariableSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Of the user. */
  readonly home: string
  /** Where the client starts its servers. */
  readonly folder: string
}

/**
 * Puts values in the place of a client's variables, as far as they can be known here: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, folders of the user and the project.
 *
 * @returns undefined where only the client can fill one in, such as `${input:token}`
 */
export function fillVariables(text: string, sources: VariableSources): string | undefined {
  let isKnown = true
  const filled = text.replaceAll(/\$\{([^}]*)\}/g, (_, inner: string) => {
    const value = valueOf(inner, sources)
    isKnown &&= value !== undefined
    return value ?? ''
  })
  return isKnown ? filled : undefined
}

function valueOf(inner: string, { environment, home, folder }: VariableSources): string | undefined {
  if (inner === 'workspaceFolder') return folder
  if (inner === 'workspaceFolderBasename') return basename(folder)
  if (inner === 'userHome') return home
  if (inner === '/' || inner === 'pathSeparator') return sep
  const [, name, fallback] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inner) ?? []
  return name === undefined ? undefined : (Object.hasOwn(environment, name) && environment[name]) || fallback
}
