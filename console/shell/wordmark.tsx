import type { ReactNode } from 'react'
import classes from './wordmark.module.css'

export function Wordmark(): ReactNode {
  return (
    <span className={classes['wordmark']}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="8" fill="var(--mantine-color-petrol-8)" />
        <path d="M9 16.5l5 5 9.5-11" fill="none" stroke="#fff" strokeWidth="3.4" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <span className={classes['name']}>Consentry</span>
    </span>
  )
}
