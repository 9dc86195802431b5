import '@mantine/core/styles.css'
import './global.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { call, onSessionEnded } from './desk/call.ts'
import { DeskLink } from './desk/desk-link.ts'
import { keepKey, takeToken } from './desk/session.ts'
import { LinkContext } from './desk/use-desk.ts'
import { startLanguage } from './language/language.ts'
import { applyKeptTheme } from './theme.ts'

applyKeptTheme()
const link = new DeskLink()
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false, networkMode: 'always' }, mutations: { networkMode: 'always' } },
})

onSessionEnded(() => link.end())
window.addEventListener('online', () => link.hurry())
document.addEventListener('visibilitychange', () => link.hurry())
/** What was on screen before a loss may be old: it is read anew. */
link.onEvent((event) => {
  if (event.type === 'snapshot') void queries.invalidateQueries()
})

const token = takeToken()
const opening = token === undefined ? Promise.resolve() : call('session/open', { token }).then(({ key }) => keepKey(key))
await Promise.all([startLanguage(), opening.catch(() => undefined)])
link.start()

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queries}>
    <LinkContext value={link}>
      <App />
    </LinkContext>
  </QueryClientProvider>,
)
