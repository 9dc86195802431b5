import { MantineProvider } from '@mantine/core'
import { Suspense, type ReactNode } from 'react'
import { Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { useLink, useLinkState } from './desk/use-desk.ts'
import { Inbox } from './inbox/inbox.tsx'
import { EndedSession } from './shell/ended-session.tsx'
import { FaultBoundary } from './shell/fault-boundary.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Opening } from './shell/opening.tsx'
import { Shell } from './shell/shell.tsx'
import { cssVariables, theme } from './theme.ts'

/** The desk puts a fresh nonce into the page with every load: styles that Mantine writes carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

/** Addresses are `#/inbox/review-7`: the desk serves one page, and knows nothing of screens. */
export function App(): ReactNode {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <Router hook={useHashLocation}>
        <Screens />
      </Router>
    </MantineProvider>
  )
}

function Screens(): ReactNode {
  const state = useLinkState()
  const link = useLink()
  if (state === 'ended') return <EndedSession />
  if (link.read().view === undefined) return <Opening />
  return (
    <Shell>
      <FaultBoundary>
        <Suspense fallback={<Opening />}>
          <Switch>
            <Route path="/">
              <Inbox />
            </Route>
            <Route path="/inbox/:id?">{({ id }) => <Inbox id={id} />}</Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </FaultBoundary>
    </Shell>
  )
}
