import { RemoteChannel } from '../desk/remote-channel.ts'
import { greetDesk } from '../desk/remote-greeting.ts'
import { readFromDesk, type ToDesk } from '../desk/remote-messages.ts'
import { deskLimits } from '../desk/remote-limits.ts'
import { ConsentryError } from '../errors.ts'
import { readDeskFile, type DeskAddress } from './desk-file.ts'
import { connectToSocket } from './desk-socket.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

const greetingMs = 5000

/** Calls the running desk, and sees that it is the one. @throws ConsentryError `DESK_UNREACHABLE` */
export async function callDesk(place: Place): Promise<{ readonly channel: RemoteChannel; readonly address: DeskAddress }> {
  const address = await readDeskFile(openStateFolder(place).deskFile)
  if (address === undefined) throw new ConsentryError('DESK_UNREACHABLE', 'no desk runs (consentry up starts one)')
  const channel = new RemoteChannel(await connectToSocket(address.socket), { ...deskLimits, patience: undefined })
  let isSilent = false
  const timer = setTimeout(() => {
    isSilent = true
    channel.breakOff('it does not greet')
  }, greetingMs)
  try {
    await greetDesk(channel, address)
    return { channel, address }
  } catch (cause) {
    channel.breakOff('it is not the desk')
    if (!isSilent) throw cause
    throw new ConsentryError('DESK_UNREACHABLE', `the desk that runs (process ${address.pid}) does not answer`, { cause, data: { isSilent } })
  } finally {
    clearTimeout(timer)
  }
}

/** `show`: it opens its own window. `leave`: it makes room for another desk. */
export type DeskRequest = 'show' | 'leave'

/** Asks the desk itself for something, and where it refuses, for the next. @returns what it does, or why it does not do the first */
export async function askDesk(
  channel: RemoteChannel,
  requests: readonly DeskRequest[],
): Promise<{ readonly done?: DeskRequest | undefined; readonly why?: string | undefined }> {
  const refusals: string[] = []
  for (const type of requests) {
    channel.send({ type } satisfies ToDesk)
    const reply = await channel.next()
    const message = reply && readFromDesk(reply)
    if (message?.type === 'done' && message.why === undefined) return { done: type }
    refusals.push(message?.type === 'done' ? message.why! : 'it hung up')
  }
  return { why: refusals[0] }
}
