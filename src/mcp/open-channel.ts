import type { Transport } from '@modelcontextprotocol/client'
import { ConsentryError } from '../errors.ts'
import type { Clock } from './clock.ts'
import { lastWords } from './last-words.ts'
import { StdioTransport } from './stdio-transport.ts'

/** What to connect to. */
export type ConnectTarget =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args?: readonly string[] | undefined
      /** The server's whole environment: nothing is inherited. */
      readonly env: Readonly<Record<string, string>>
      readonly cwd?: string | undefined
      /** Default 64 MB. */
      readonly maxLineBytes?: number | undefined
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
  /** Any transport of the SDK; a function makes a new one for each try. */
  | { readonly kind: 'transport'; readonly transport: Transport | (() => Transport | Promise<Transport>) }

/** A transport that is not open yet, with what is known about it besides. */
export interface Channel {
  readonly transport: Transport
  /** Resolved when the server's own messages can arrive. */
  readonly listening?: Promise<void> | undefined
  /** Why it ended, as far as that is known. */
  readonly describeLoss: (cause?: unknown) => ConsentryError
}

export interface ChannelNeeds {
  readonly clock: Clock
  readonly onStderr?: ((text: string) => void) | undefined
  readonly onFault?: ((fault: string) => void) | undefined
}

/** @throws ConsentryError `SERVER_UNREACHABLE` for an address that is none */
export async function openChannel(target: ConnectTarget, needs: ChannelNeeds): Promise<Channel> {
  switch (target.kind) {
    case 'stdio': {
      const transport = new StdioTransport({ ...target, ...needs })
      return { transport, describeLoss: (cause) => describeEnd(transport, cause) }
    }
    case 'http': {
      // Who only starts processes does not pay for this.
      const { HttpTransport } = await import('./http-transport.ts')
      if (!/^https?:\/\//i.test(target.url) || !URL.canParse(target.url))
        throw new ConsentryError('SERVER_UNREACHABLE', `${JSON.stringify(target.url)} is no http or https address`)
      const transport = new HttpTransport(target)
      return { transport, listening: transport.listening, describeLoss: lost }
    }
    case 'transport':
      return { transport: typeof target.transport === 'function' ? await target.transport() : target.transport, describeLoss: lost }
    default:
      return target satisfies never
  }
}

function lost(cause?: unknown): ConsentryError {
  return new ConsentryError('CONNECTION_LOST', 'The connection to the server is lost', { cause })
}

function describeEnd({ end, fault }: StdioTransport, cause: unknown): ConsentryError {
  if (fault !== undefined) return new ConsentryError('CONNECTION_LOST', `${fault}: the connection was ended`, { cause })
  if (end === undefined) return new ConsentryError('CONNECTION_LOST', 'The server closed its output', { cause })
  const { code, signal, stderr } = end
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`
  const words = lastWords(stderr)
  const message = `The server ended ${how}${words === '' ? '' : `. It said last: ${words}`}`
  return new ConsentryError('CONNECTION_LOST', message, { cause, data: { exitCode: code, signal, stderr: words } })
}
