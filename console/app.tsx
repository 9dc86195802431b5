import { MantineProvider } from '@mantine/core'
import { lazy, Suspense, type ReactNode } from 'react'
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

const Audit = lazy(async () => ({ default: (await import('./audit/audit.tsx')).Audit }))
const Roots = lazy(async () => ({ default: (await import('./roots/roots.tsx')).Roots }))
const Servers = lazy(async () => ({ default: (await import('./servers/servers.tsx')).Servers }))
const Settings = lazy(async () => ({ default: (await import('./settings/settings.tsx')).Settings }))
const Timeline = lazy(async () => ({ default: (await import('./timeline/timeline.tsx')).Timeline }))
const TryIt = lazy(async () => ({ default: (await import('./try-it/try-it.tsx')).TryIt }))
const Usage = lazy(async () => ({ default: (await import('./usage/usage.tsx')).Usage }))

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
            <Route path="/servers/:name?">{({ name }) => <Servers name={name} />}</Route>
            <Route path="/roots" component={Roots} />
            <Route path="/try-it/:server?">{({ server }) => <TryIt server={server} />}</Route>
            <Route path="/timeline" component={Timeline} />
            <Route path="/usage" component={Usage} />
            <Route path="/audit" component={Audit} />
            <Route path="/settings" component={Settings} />
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </FaultBoundary>
    </Shell>
  )
}
