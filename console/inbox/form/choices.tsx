import type { ReactNode } from 'react'
import type { Choice } from '../../../src/console-api/contract.ts'
import { ServerText } from '../../parts/server-text.tsx'
import classes from './choices.module.css'

interface ChoicesProps {
  readonly name: string
  readonly choices: readonly Choice[]
  readonly value: unknown
  readonly onPick: (value: unknown) => void
}

/** A few options side by side, one of them picked, or none. */
export function ChoiceRow({ name, choices, value, onPick }: ChoicesProps): ReactNode {
  return (
    <div className={classes['row']}>
      {choices.map(({ value: one, label }, index) => (
        <label key={index} className={classes['chip']}>
          <input type="radio" name={name} checked={value === one} onChange={() => onPick(one)} />
          <span>
            <ServerText text={label} />
          </span>
        </label>
      ))}
    </div>
  )
}

/** Options under each other, any of them picked. */
export function ChoiceList({ name, choices, value, onPick }: ChoicesProps): ReactNode {
  const picked = new Set(Array.isArray(value) ? (value as unknown[]) : [])
  const toggle = (one: unknown): void => onPick(choices.flatMap((choice) => ((choice.value === one) !== picked.has(choice.value) ? [choice.value] : [])))
  return (
    <div className={classes['list']}>
      {choices.map(({ value: one, label }, index) => (
        <label key={index} className={classes['option']}>
          <input type="checkbox" name={name} checked={picked.has(one)} onChange={() => toggle(one)} />
          <ServerText text={label} />
        </label>
      ))}
    </div>
  )
}
