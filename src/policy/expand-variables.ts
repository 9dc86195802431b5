import { ConsentryError } from '../errors.ts'

/**
 * Puts the environment's values in place of `${NAME}` (also `${env:NAME}`, and `${NAME:-default}`), when an entry is about to be used.
 *
 * @param where which entry it is for, for the error ("mcpServers.notes.headers.Authorization")
 * @throws ConsentryError `CONFIG_INVALID` naming the variable that is not set, or what cannot be read as a variable. Never contains a value.
 */
export function expandVariables(text: string, environment: Readonly<Record<string, string | undefined>>, where: string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (_, inner: string) => {
    const [, name, fallback] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inner) ?? []
    if (name === undefined)
      throw new ConsentryError('CONFIG_INVALID', `${where}: only \${NAME} of an environment variable can be used here`, { data: { where } })
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined
    if (fallback !== undefined) return value === undefined || value === '' ? fallback : value
    if (value === undefined)
      throw new ConsentryError('CONFIG_INVALID', `${where} needs the environment variable ${name}, which is not set`, { data: { where, variable: name } })
    return value
  })
}
