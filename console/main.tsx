import { link } from './open.ts'
import '@mantine/core/styles.css'
import './global.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { LinkContext } from './desk/use-desk.ts'
import { firstOnScreen } from './inbox/first-on-screen.ts'
import { keepDraft, reviewQuery } from './inbox/use-review.ts'
import { startLanguage } from './language/language.ts'
import { applyKeptTheme } from './theme.ts'

applyKeptTheme()
const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false, networkMode: 'always' }, mutations: { networkMode: 'always' } },
})

/** What was on screen before a loss may be old: it is read anew. */
link.onEvent((event) => {
  if (event.type === 'draft-changed' && event.window !== link.read().view?.window) keepDraft(queries, event.id, event.draft)
  if (event.type === 'review-changed') void queries.invalidateQueries({ queryKey: reviewQuery(event.review.id).queryKey })
  if (event.type !== 'snapshot') return
  void queries.invalidateQueries()
  askAhead()
})
askAhead()

/** The question that will be shown is on its way while the page around it is drawn. */
function askAhead(): void {
  const id = firstOnScreen(link.read().view, location.hash)
  if (id !== undefined) void queries.prefetchQuery(reviewQuery(id))
}

await startLanguage()

createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queries}>
    <LinkContext value={link}>
      <App />
    </LinkContext>
  </QueryClientProvider>,
)
