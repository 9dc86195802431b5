import { RemoteChannel } from '../desk/remote-channel.ts'
import { greetDesk } from '../desk/remote-greeting.ts'
import type { FromDesk, ToDesk } from '../desk/remote-messages.ts'
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
  const timer = setTimeout(() => channel.breakOff('it does not greet'), greetingMs)
  try {
    await greetDesk(channel, address)
    return { channel, address }
  } catch (error) {
    channel.breakOff('it is not the desk')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Asks the desk itself for something, in place of a person who needs an answer from it. @returns why it was not done */
export async function askDeskTo(channel: RemoteChannel, type: Extract<ToDesk['type'], 'show' | 'leave'>): Promise<string | undefined> {
  const reply = channel.next()
  channel.send({ type } satisfies ToDesk)
  const message = (await reply) as FromDesk | undefined
  return message?.type === 'done' ? message.why : 'it hung up'
}
