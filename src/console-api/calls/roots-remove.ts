import { removeRoot } from '../../policy/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { changeConfig } from '../change-config.ts'

export function removeConfiguredRoot({ config, edited }: Pick<CallNeeds, 'config' | 'edited'>): Handler<'roots/remove'> {
  return (body) => {
    const [server, path] = [body.text('server'), body.text('path')]
    return changeConfig(config, JSON.stringify({ path }), (source) => removeRoot(source, { server, path }, edited))
  }
}
