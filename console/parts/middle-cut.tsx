import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './middle-cut.module.css'
import { visibleText } from './server-text.tsx'

const KEPT = 14

/** One line of a name whose end says most, such as that of a site or of a model: where there is no room, its middle goes. */
export function MiddleCut({ text }: { readonly text: string }): ReactNode {
  const letters = Array.from(text)
  const [start, end] = [letters.slice(0, -KEPT).join(''), letters.slice(-KEPT).join('')]
  return (
    <>
      <VisuallyHidden>{visibleText(text)}</VisuallyHidden>
      <span className={classes['whole']} aria-hidden>
        <span className={classes['start']}>{visibleText(start)}</span>
        <span className={classes['end']}>{visibleText(end)}</span>
      </span>
    </>
  )
}
