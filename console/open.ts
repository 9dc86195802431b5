import { call, onSessionEnded } from './desk/call.ts'
import { DeskLink } from './desk/desk-link.ts'
import { keepKey, takeToken } from './desk/session.ts'
import { loadCatalogue, ownLanguage } from './language/load-catalogue.ts'

/** The one link of this tab. It is a small file of its own that comes first: the desk is asked, and the words are on their way, while what draws them is still being loaded. */
export const link: DeskLink = new DeskLink()

onSessionEnded(() => link.end())
window.addEventListener('online', () => link.hurry())
document.addEventListener('visibilitychange', () => link.hurry())
void loadCatalogue(ownLanguage())
void openLink()

/** A link that is used up opens nothing: the stream says so. */
async function openLink(): Promise<void> {
  const token = takeToken()
  if (token !== undefined) {
    await call('session/open', { token }).then(
      ({ key }) => keepKey(key),
      () => undefined,
    )
  }
  link.start()
}
