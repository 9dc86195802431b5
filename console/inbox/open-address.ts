/** Opens a page that a person has just agreed to: in a tab of its own that knows nothing of this one. Must be called in the act itself, or the browser blocks it. */
export function openAddress(address: string): void {
  if (/^https?:$/u.test(new URL(address).protocol)) window.open(address, '_blank', 'noopener,noreferrer')
}
