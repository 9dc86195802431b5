import type { CallNeeds, Handler } from '../call.ts'

export function callTool({ calls, host }: Pick<CallNeeds, 'calls' | 'host'>): Handler<'tools/call'> {
  return (body) => {
    const server = body.text('server')
    host.status(server)
    return { call: calls.call(server, body.text('tool'), body.object('arguments')) }
  }
}
