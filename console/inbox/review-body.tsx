import type { ReactNode, Ref } from 'react'
import classes from './review-body.module.css'

/** What is read before it is decided: scrolls between the head and the buttons. */
export function ReviewBody({ children, ref }: { readonly children: ReactNode; readonly ref?: Ref<HTMLDivElement> | undefined }): ReactNode {
  return (
    <div className={classes['body']} ref={ref}>
      <div className={classes['column']}>{children}</div>
    </div>
  )
}
