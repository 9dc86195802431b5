import { ConsentryError } from '../errors.ts'
import { describeRefusal } from './desk-process.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { hasTerminal, type Place } from './place.ts'
import { attachOwnTerminal } from './terminal/own-terminal.ts'
import { createPrompts } from './terminal/prompts.ts'
import { startDesk, takeRole } from './up.ts'

/**
 * `consentry inbox`: the desk in this terminal, for people on SSH. Only a terminal that the desk itself reads may decide, so that this command is the desk:
 * one that a wrap started, and that nobody sits at, hands over what waits; one that was started by hand stays where it is.
 */
export async function runInbox(place: Place): Promise<ExitCode> {
  if (!hasTerminal(place)) throw new ConsentryError('NO_ONE_TO_ASK', 'the inbox asks you things, and for that it needs a terminal')
  const role = await takeRole(['leave'], place)
  if (role.role === 'caller') throw describeRefusal(`${role.why ?? ''}. Answer there, or end it first`, role.address)
  const desk = await startDesk(role.lock, { open: false }, place)
  const prompts = await createPrompts({ input: place.stdin, output: place.stderr })
  let isOver = false
  const onAsking = (isAsking: boolean): void => void (isAsking || isOver || prompts.say('Waiting for the next question. Ctrl-C ends the desk.'))
  const detach = attachOwnTerminal(desk.opened.inbox!, place, { onAsking })
  try {
    prompts.say('The desk runs in this terminal: what servers ask is shown here, one question after the other. Ctrl-C ends it.')
    await desk.ended
    return exitCodes.done
  } finally {
    isOver = true
    detach()
    await desk.close()
  }
}
