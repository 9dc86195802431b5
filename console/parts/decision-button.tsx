import { Button, type ButtonProps } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'

const SLEEP_MS = 500

/**
 * True for half a second after what is to be decided has appeared: a click or a key that was meant for what stood there before decides nothing.
 *
 * @param appeared changes whenever something else is to be decided
 */
export function useSleep(appeared: string): boolean {
  const [awake, setAwake] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setAwake(appeared), SLEEP_MS)
    return () => clearTimeout(timer)
  }, [appeared])
  return awake !== appeared
}

interface DecisionButtonProps extends ButtonProps {
  readonly isAsleep: boolean
  readonly onDecide: () => void
  readonly keys?: string | undefined
  readonly describedBy?: string | undefined
  readonly children: ReactNode
}

/** A button that decides. Asleep it stays where it is and can have the focus, but does nothing. */
export function DecisionButton({ isAsleep, onDecide, keys, describedBy, children, ...props }: DecisionButtonProps): ReactNode {
  return (
    <Button
      {...props}
      aria-disabled={isAsleep || undefined}
      data-asleep={isAsleep || undefined}
      aria-keyshortcuts={keys}
      aria-describedby={describedBy}
      onClick={() => {
        if (!isAsleep) onDecide()
      }}
    >
      {children}
    </Button>
  )
}
