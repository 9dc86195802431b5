import { useState } from 'react'

/** What somebody typed, on top of what stands there now: whatever they left alone is as it is now. */
export function mergeWritten<Written extends object>(written: Written, was: Written, is: Written): Written {
  const names = [...new Set([...Object.keys(written), ...Object.keys(is)])] as (keyof Written)[]
  return Object.fromEntries(names.map((name) => [name, isSame(written[name], was[name]) ? is[name] : written[name]])) as Written
}

/**
 * What a form was opened with, to be told to the desk as `before`. Where the desk says that it is old, it is what stands there now:
 * nobody has to type anything again that somebody else had no hand in.
 *
 * @param onOther puts what was typed on top of what stands there now
 */
export function useBefore<Seen>(now: Seen, isStale: boolean, onOther: (was: Seen, is: Seen) => void): Seen {
  const [before, setBefore] = useState(now)
  if (isStale && !isSame(before, now)) {
    setBefore(now)
    onOther(before, now)
  }
  return before
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
