import type { ReactNode } from 'react'
import classes from './json-block.module.css'
import { ServerText } from './server-text.tsx'

/** JSON as it goes over the wire, indented; what hides in it is marked. */
export function JsonBlock({
  value,
  label,
  maximum = 20_000,
}: {
  readonly value: unknown
  readonly label: string
  readonly maximum?: number | undefined
}): ReactNode {
  return (
    <pre className={classes['json']} aria-label={label} tabIndex={0} role="region">
      <ServerText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} lines maximum={maximum} />
    </pre>
  )
}
