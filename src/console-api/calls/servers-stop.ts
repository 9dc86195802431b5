import type { CallNeeds, Handler } from '../call.ts'

export function stopServer({ host }: Pick<CallNeeds, 'host'>): Handler<'servers/stop'> {
  return async (body) => {
    await host.stop(body.text('name'))
    return {}
  }
}
