import { ConsentryError } from '../errors.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { loadKeyring } from './keyring.ts'
import { hasTerminal, type Place } from './place.ts'
import { createPrompts } from './terminal/prompts.ts'

const LONGEST_KEY = 10_000

/** `consentry models key NAME`: keeps a key in the system's keyring, and nowhere else. It is typed unseen or read from stdin, never an argument: those are seen by every program. */
export async function storeModelKey(name: string, { remove }: { readonly remove?: boolean | undefined }, place: Place): Promise<ExitCode> {
  const keyring = await loadKeyring()
  if (remove) {
    const removed = await inKeyring(() => keyring.remove(name))
    place.stdout.write(removed ? 'The key was removed from the keyring.\n' : 'There was no key under this name.\n')
    return exitCodes.done
  }
  const key = (await readTyped(place)).trim()
  if (key === '') throw new ConsentryError('USAGE', 'no key was given: type it, or pass it on stdin')
  await inKeyring(() => keyring.write(name, key))
  place.stdout.write(`The key is in the system's keyring. Name it in the config: "apiKey": {"keyring": ${JSON.stringify(name)}}\n`)
  return exitCodes.done
}

async function readTyped(place: Place): Promise<string> {
  const { stdin, stderr, interrupted } = place
  if (hasTerminal(place)) {
    const prompts = await createPrompts({ input: stdin, output: stderr })
    return (await prompts.write('The key (it is not shown)', { kind: 'secret', signal: interrupted })) ?? ''
  }
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > LONGEST_KEY) throw new ConsentryError('USAGE', `a key has at most ${LONGEST_KEY} characters`)
  }
  return text
}

/** What a keyring says may hold the key. */
async function inKeyring<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw new ConsentryError('USAGE', "the system's keyring cannot be used: unlock it, or keep the key in a variable of the environment", { cause })
  }
}
