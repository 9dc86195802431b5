import type { CallNeeds, Handler } from '../call.ts'

/** Does not wait for the server: its state says how it goes. */
export function restartServer({ host }: Pick<CallNeeds, 'host'>): Handler<'servers/restart'> {
  return (body) => {
    const name = body.text('name')
    host.status(name)
    void host.restart(name)
    return {}
  }
}
