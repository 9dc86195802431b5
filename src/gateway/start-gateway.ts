import { systemClock } from '../mcp/clock.ts'
import type { Gateway, GatewayOptions } from './gateway.ts'
import type { ServerPort } from './server-port.ts'
import { ServerProcess } from './server-process.ts'

export interface StartOptions extends GatewayOptions {
  /** Told of a process as soon as it is there: whoever goes before there is a gateway takes it along. */
  readonly onStarted?: ((server: Pick<ServerPort, 'signal' | 'kill'>) => void) | undefined
}

/**
 * Starts the server, and lets client and server talk. What stands between them is loaded while the server starts.
 *
 * @throws ConsentryError `SERVER_UNREACHABLE` when the command cannot be started
 */
export async function startGateway({ onStarted, ...options }: StartOptions): Promise<Gateway> {
  const { server, platform, clock = systemClock, onStderr } = options
  if ('url' in server) {
    const { Gateway, openAddress } = await import('./gateway.ts')
    return Gateway.before(await openAddress(server, options), options)
  }
  const port = await ServerProcess.start({ ...server, platform, clock, onStderr })
  onStarted?.(port)
  // What it says is kept for whoever reads it in a moment, also where it is gone by then.
  port.output.pause()
  const { Gateway } = await import('./gateway.ts')
  const gateway = Gateway.before(port, options)
  port.output.resume()
  return gateway
}
