import { ConsentryError } from '../errors.ts'
import type { ModelEntry, NewModel } from '../policy/index.ts'
import { isThisMachine } from '../elicitation/url-site.ts'
import { knownProviders } from '../sampling/index.ts'
import type { CallBody } from './call-body.ts'
import type { ModelKey, TextKey } from './contract.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/
const keyKinds = ['none', 'variable', 'keyring', 'command'] as const

/** How the key of a configured model is found; never the key. */
export function keyOf({ provider, baseUrl, apiKey }: ModelEntry): ModelKey | TextKey {
  if (typeof apiKey === 'string') {
    const name = REFERENCE.exec(apiKey)?.[1]
    return name === undefined ? { kind: 'text' } : { kind: 'variable', name }
  }
  if (apiKey !== undefined) return apiKey
  const usual = baseUrl === undefined ? knownProviders.get(provider)?.keyVariable : undefined
  return usual === undefined ? { kind: 'none' } : { kind: 'variable', name: usual, usual: true }
}

/** Whether its key would go over a network for everybody on the way to read. */
export function sendsKeyInPlain({ baseUrl, apiKey }: Pick<NewModel, 'baseUrl'> & { readonly apiKey?: unknown }): boolean {
  if (apiKey === undefined || baseUrl === undefined || !URL.canParse(baseUrl)) return false
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isThisMachine(hostname)
}

/** A model as a person wrote it, as it stands in the config. @throws ConsentryError `USAGE` */
export function readModel(body: CallBody): NewModel {
  const [provider, model, baseUrl] = [body.text('provider', 100).trim(), body.text('model', 200).trim(), body.optionalText('baseUrl', 2000)?.trim()]
  if (provider === '' || model === '') throw new ConsentryError('USAGE', 'A model needs its provider and its name.')
  return { provider, model, baseUrl: baseUrl === '' ? undefined : baseUrl, apiKey: readKey(body.body('key')) }
}

function readKey(body: CallBody): NewModel['apiKey'] {
  const kind = body.oneOf('kind', keyKinds)
  switch (kind) {
    case 'none':
      return undefined
    case 'variable': {
      if (body.optionalFlag('usual') === true) return undefined
      const name = body.text('name', 200).trim()
      // A key that was pasted in its place must not end up in the file, or in a message.
      if (!NAME.test(name))
        throw new ConsentryError('USAGE', 'A variable of the environment has a name of letters, digits and _. The key itself does not belong here.')
      return `\${${name}}`
    }
    case 'keyring':
      return { keyring: body.text('name', 200).trim() }
    case 'command':
      return { command: [body.text('program', 1000), ...readArguments(body)] }
    default:
      return kind satisfies never
  }
}

function readArguments(body: CallBody): readonly string[] {
  return body.list('args', 100).map((argument) => {
    if (typeof argument !== 'string') throw new ConsentryError('USAGE', '"args" has to be a list of texts.')
    return argument
  })
}
