import { Alert, Button, Loader } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FaultText } from './fault-text.tsx'
import classes from './page.module.css'
import { showNow } from './show-now.ts'
import { Slotted, slot } from './slotted.tsx'

interface PageProps {
  readonly title: ReactNode
  readonly intro?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A screen that is not the inbox: a title, what it is for, what can be done, and what there is. */
export function Page({ title, intro, actions, children }: PageProps): ReactNode {
  return (
    <div className={classes['page']}>
      <header className={classes['head']}>
        <div className={classes['words']}>
          <h1 className={classes['title']}>{title}</h1>
          {intro !== undefined && <p className={classes['intro']}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a screen under a heading of its own. */
export function Section({ title, actions, children }: { readonly title: ReactNode; readonly actions?: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <section className={classes['section']}>
      <div className={classes['sectionHead']}>
        <h2 className={classes['sectionTitle']}>{title}</h2>
        {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** While something is on its way, or where it did not come. */
export function Loading({ error }: { readonly error: Error | null }): ReactNode {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return error ? (
    <>
      <Failure error={error} />
      <div>
        <Button size="xs" variant="default" onClick={() => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })}>
          {t('common.retry')}
        </Button>
      </div>
    </>
  ) : (
    <p role="status" className={classes['loading']}>
      <Loader size="xs" type="dots" aria-hidden /> {t('common.loading')}
    </p>
  )
}

/** What went wrong, in the desk's words. */
export function Failure({ error }: { readonly error: Error | null }): ReactNode {
  const { t } = useTranslation()
  if (error === null) return null
  return (
    <Alert ref={showNow} color="red" variant="light" role="alert">
      <Slotted text={t('common.failed', { reason: slot('reason') })} slots={{ reason: <FaultText fault={error} /> }} />
    </Alert>
  )
}
