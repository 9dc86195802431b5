import type { CallNeeds, Handler } from '../call.ts'

export function endRootForRun({ folders, tell }: Pick<CallNeeds, 'folders' | 'tell'>): Handler<'roots/end-run'> {
  return (body) => {
    const [server, path] = [body.text('server'), body.text('path')]
    const ended = folders.endRun(server, path)
    tell({ type: 'server-touched', name: server, what: 'roots' })
    return { ended }
  }
}
