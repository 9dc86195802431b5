import type { ModelEntryInput, ModelKey, ProviderRow } from '../../src/console-api/contract.ts'

/** A model as it stands in the fields of a form. */
export interface WrittenModel {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  /** `usual`: the config says nothing of a key. */
  readonly key: 'usual' | 'variable' | 'keyring' | 'command'
  /** The variable, or the name in the keyring. */
  readonly keyName: string
  /** The program and its arguments, one a line. */
  readonly command: string
}

export const nothing: WrittenModel = { provider: '', model: '', baseUrl: '', key: 'usual', keyName: '', command: '' }

/** What goes to the desk. */
export function modelOf({ provider, model, baseUrl, ...written }: WrittenModel): ModelEntryInput {
  return { provider, model, ...(baseUrl.trim() !== '' && { baseUrl }), key: keyOf(written) }
}

export function isWhole({ provider, model, key, keyName, command }: WrittenModel): boolean {
  if (provider.trim() === '' || model.trim() === '') return false
  return key === 'usual' || (key === 'command' ? command : keyName).trim() !== ''
}

/** The variable that is read where the config says nothing; with an address of one's own there is none. */
export function usualVariable({ provider, baseUrl }: WrittenModel, providers: readonly ProviderRow[]): string | undefined {
  return baseUrl.trim() === '' ? providers.find(({ name }) => name === provider.trim())?.keyVariable : undefined
}

function keyOf({ key, keyName, command }: Pick<WrittenModel, 'key' | 'keyName' | 'command'>): ModelKey {
  const [program = '', ...args] = command.split('\n').filter((line) => line.trim() !== '')
  switch (key) {
    case 'usual':
      return { kind: 'none' }
    case 'variable':
    case 'keyring':
      return { kind: key, name: keyName }
    case 'command':
      return { kind: key, program, args }
    default:
      return key satisfies never
  }
}
