import { ConsentryError } from '../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/index.ts'
import { edit, type EditedFile } from './edit-config.ts'
import { removeElement, removeMember, setFirst, setJsonc, swapElements } from './edit-jsonc.ts'
import { readJsonc } from './read-jsonc.ts'
import type { Limits } from './rule.ts'

/** Puts a server's entry into a config, or another in its place. Comments and formatting around it stay. @throws ConsentryError `CONFIG_INVALID` when the text is no config, before or after */
export function putServer(text: string | undefined, name: string, entry: JsonObject, edited: EditedFile): string {
  return edit(text, edited, (source) => setJsonc(source, ['mcpServers', name], entry))
}

/**
 * Changes how a server is started or reached; whatever else its entry says, what it is held to above all, stays.
 *
 * @param entry `command` with `args`, `env` and `cwd`, or `url` with `headers`; what is absent is taken out
 * @throws ConsentryError see `putServer`
 */
export function changeServer(text: string | undefined, name: string, entry: JsonObject, edited: EditedFile): string {
  return edit(text, edited, (source) => {
    const file = readJsonc(source, edited.file, 'CONFIG_INVALID').value
    const servers = isJsonObject(file) ? file['mcpServers'] : undefined
    const before = isJsonObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined
    const kept = Object.entries(isJsonObject(before) ? before : {}).filter(([key]) => !startKeys.includes(key))
    return setJsonc(source, ['mcpServers', name], { ...entry, ...Object.fromEntries(kept) })
  })
}

/** Lets a held server read one more folder. @throws ConsentryError `SERVER_NOT_FOUND`, and see `putServer` */
export function addSandboxRead(text: string | undefined, name: string, path: string, edited: EditedFile): string {
  return edit(text, edited, (source, { mcpServers }) => {
    const entry = mcpServers.get(name)
    if (entry === undefined) throw new ConsentryError('SERVER_NOT_FOUND', `There is no server ${JSON.stringify(name)} in the config`)
    const count = (entry.kind === 'stdio' && entry.wishes?.sandboxRead?.length) || 0
    return count === 0 ? setJsonc(source, ['mcpServers', name, 'sandboxRead'], [path]) : setJsonc(source, ['mcpServers', name, 'sandboxRead', count], path)
  })
}

const startKeys = ['type', 'command', 'args', 'env', 'cwd', 'url', 'headers']

/** Takes a server's entry out of a config; its folders and rules stay. @throws ConsentryError see `putServer` */
export function removeServer(text: string | undefined, name: string, edited: EditedFile): string {
  return edit(text, edited, (source) => removeMember(source, ['mcpServers', name]))
}

/** Keeps a server in the config without using it, or uses it again. @throws ConsentryError see `putServer` */
export function setServerDisabled(text: string | undefined, name: string, disabled: boolean, edited: EditedFile): string {
  return edit(text, edited, (source, { mcpServers }) => {
    if (!mcpServers.has(name)) throw new ConsentryError('SERVER_NOT_FOUND', `There is no server ${JSON.stringify(name)} in the config`)
    return disabled ? setJsonc(source, ['mcpServers', name, 'disabled'], true) : removeMember(source, ['mcpServers', name, 'disabled'])
  })
}

/** Puts a rule in the place of another; without an index behind all others, so that it wins over none. @throws ConsentryError see `putServer` */
export function putRule(text: string | undefined, index: number | undefined, rule: JsonObject, edited: EditedFile): string {
  return edit(text, edited, (source, { rules }) => {
    if (rules.length === 0) return setJsonc(source, ['rules'], [rule])
    return setJsonc(source, ['rules', index ?? rules.length], rule)
  })
}

/** Lets a rule change places with the one before it, so that it wins sooner; the first stays where it is. @throws ConsentryError see `putServer` */
export function raiseRule(text: string | undefined, index: number, edited: EditedFile): string {
  return edit(text, edited, (source) => (index === 0 ? source : swapElements(source, ['rules'], index, index - 1)))
}

/** Puts a rule before all others, so that it wins over each. @throws ConsentryError see `putServer` */
export function putFirstRule(text: string | undefined, rule: JsonObject, edited: EditedFile): string {
  return edit(text, edited, (source, { rules }) => (rules.length === 0 ? putRule(source, undefined, rule, edited) : setFirst(source, ['rules'], rule)))
}

/** Sets what a server's model requests may use; without any limit, those of every server hold. @throws ConsentryError see `putServer` */
export function setServerLimits(text: string | undefined, name: string, limits: Limits, edited: EditedFile): string {
  return setLimits(text, ['sampling', 'servers', name, 'limits'], limits, edited)
}

/** Sets what the model requests of all servers together may use. @throws ConsentryError see `putServer` */
export function setTotalLimits(text: string | undefined, limits: Limits, edited: EditedFile): string {
  return setLimits(text, ['sampling', 'total'], limits, edited)
}

function setLimits(text: string | undefined, path: readonly string[], limits: Limits, edited: EditedFile): string {
  const known = Object.fromEntries<Json>(Object.entries(limits).filter(([, amount]) => amount !== undefined))
  return edit(text, edited, (source) => (Object.keys(known).length === 0 ? removeMember(source, path) : setJsonc(source, path, known)))
}

/** Takes a rule out of a config. @throws ConsentryError see `putServer` */
export function removeRule(text: string | undefined, index: number, edited: EditedFile): string {
  return edit(text, edited, (source) => removeElement(source, ['rules'], index))
}
