import { systemClock } from '../mcp/clock.ts'
import type { Gateway, GatewayOptions } from './gateway.ts'
import { ServerProcess } from './server-process.ts'

/**
 * Starts the server, and lets client and server talk. What stands between them is loaded while the server starts.
 *
 * @throws ConsentryError `SERVER_UNREACHABLE` when the command cannot be started
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { server, platform, clock = systemClock, onStderr } = options
  if ('url' in server) {
    const { Gateway, openAddress } = await import('./gateway.ts')
    return Gateway.before(await openAddress(server, options), options)
  }
  const port = await ServerProcess.start({ ...server, platform, clock, onStderr })
  // What it says is kept for whoever reads it in a moment, also where it is gone by then.
  port.output.pause()
  const { Gateway } = await import('./gateway.ts')
  const gateway = Gateway.before(port, options)
  port.output.resume()
  return gateway
}
