import { writeRedirect } from './app-files.ts'
import { randomText, type Sessions } from './sessions.ts'

export interface BrowserNeeds {
  /** For the page that opens the browser. */
  readonly folder: string
  readonly openFile?: ((file: string) => Promise<void>) | undefined
  readonly sessions: Pick<Sessions, 'onOpened'>
}

/** A browser that has not asked for its session by then does not come. */
const PATIENCE_MS = 30_000

/**
 * Opens an address in the user's browser, by way of a page that only the user can read and that is taken away as soon as somebody has come.
 *
 * @returns why it could not be opened
 */
export async function openWithBrowser(address: string, { folder, openFile = openFileWithSystem, sessions }: BrowserNeeds): Promise<string | undefined> {
  let redirect: Awaited<ReturnType<typeof writeRedirect>>
  try {
    redirect = await writeRedirect(folder, randomText(), address)
  } catch (error) {
    return (error as Error).message
  }
  const remove = (): void => {
    clearTimeout(timer)
    stopListening()
    void redirect.remove()
  }
  const timer = setTimeout(remove, PATIENCE_MS).unref()
  const stopListening = sessions.onOpened(remove)
  try {
    await openFile(redirect.file)
    return undefined
  } catch (error) {
    remove()
    return (error as Error).message
  }
}

/** Loaded when it is first needed. Where there is no browser it may say nothing: print the address too. */
async function openFileWithSystem(file: string): Promise<void> {
  const { default: open } = await import('open')
  const child = await open(file)
  child.on('error', () => undefined)
}
