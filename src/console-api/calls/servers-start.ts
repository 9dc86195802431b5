import type { CallNeeds, Handler } from '../call.ts'

/** Does not wait for the server: its state says how it goes. */
export function startServer({ host }: Pick<CallNeeds, 'host'>): Handler<'servers/start'> {
  return (body) => {
    const name = body.text('name')
    host.status(name)
    void host.connect(name)
    return {}
  }
}
