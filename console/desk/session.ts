import { tokenParameter } from '../../src/console-api/contract.ts'

const KEPT = 'consentry.key'

/** The key of this browser's session, for the header of every call. */
export function keptKey(): string | null {
  return localStorage.getItem(KEPT)
}

export function keepKey(key: string): void {
  localStorage.setItem(KEPT, key)
}

export function forgetKey(): void {
  localStorage.removeItem(KEPT)
}

/** Takes the one-time token out of the address, so that neither history nor a copied address holds it. */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get(tokenParameter)
  if (token === null) return undefined
  history.replaceState(null, '', location.pathname)
  return token
}
