import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { ConsentryError } from '../errors.ts'

export interface Listening {
  readonly port: number
  /** Hangs up on everybody. Safe to call twice. */
  readonly close: () => Promise<void>
}

const MOST_CONNECTIONS = 200
/** The last event of each window is given so long to arrive, in milliseconds. */
const GOODBYE_MS = 150

/** Listens on the loopback address, where only this machine can reach it. @param port 0: any that is free @throws ConsentryError `PORT_IN_USE` */
export async function listen(app: Hono, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: (request) => app.fetch(request), overrideGlobalObjects: false })
  if ('maxConnections' in server) server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, port)))
    server.listen(port, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  let closing: Promise<void> | undefined
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      (closing ??= new Promise((resolve) => {
        const timer = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), GOODBYE_MS)
        server.close(() => {
          clearTimeout(timer)
          resolve()
        })
      })),
  }
}

function listenFault(error: NodeJS.ErrnoException, port: number): ConsentryError {
  if (error.code === 'EADDRINUSE') {
    return new ConsentryError('PORT_IN_USE', `Port ${port} is used by another program. Give another one with --port, or none for any that is free.`, {
      cause: error,
    })
  }
  if (error.code === 'EACCES') {
    return new ConsentryError('PORT_IN_USE', `Port ${port} needs rights that this program does not have. Give one above 1023 with --port, or none.`, {
      cause: error,
    })
  }
  return new ConsentryError('PORT_IN_USE', `The console cannot listen on port ${port}: ${error.message}`, { cause: error })
}
