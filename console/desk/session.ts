import { tokenParameter } from '../../src/console-api/contract.ts'

const KEPT = 'consentry.key'

/** The last one that this tab has used. */
let used: string | null = null

/** The key of this browser's session, for the header of every call. */
export function keptKey(): string | null {
  used = localStorage.getItem(KEPT)
  return used
}

export function keepKey(key: string): void {
  localStorage.setItem(KEPT, key)
}

/** Forgets a key that is over. @returns false where another tab has a newer one: that one stays */
export function forgetKey(): boolean {
  if (localStorage.getItem(KEPT) !== used) return false
  localStorage.removeItem(KEPT)
  return true
}

/** Another tab of this browser was let in. @returns the function that undoes it */
export function onOtherKey(listener: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent): void => {
    if (key === KEPT && newValue !== null) listener()
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

/** Takes the one-time token out of the address, so that neither history nor a copied address holds it. */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get(tokenParameter)
  if (token === null) return undefined
  history.replaceState(null, '', location.pathname)
  return token
}
