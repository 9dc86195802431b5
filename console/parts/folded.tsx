import type { ReactNode } from 'react'
import classes from './folded.module.css'

/** Details for whoever wants them. */
export function Folded({
  title,
  children,
  isOpen = false,
}: {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly isOpen?: boolean | undefined
}): ReactNode {
  return (
    <details className={classes['folded']} open={isOpen}>
      <summary className={classes['title']}>{title}</summary>
      <div className={classes['content']}>{children}</div>
    </details>
  )
}
