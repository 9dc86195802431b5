/**
 * What every response says to the browser: run nothing but our own scripts, load nothing from elsewhere, show it in no frame, tell nobody where a person came from.
 *
 * @param nonce for the one style element that the app makes; without it, none counts
 */
export function protectiveHeaders(nonce?: string): Readonly<Record<string, string>> {
  const styles = nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${styles}`,
      "img-src 'self'",
      "frame-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-dns-prefetch-control': 'off',
    'cache-control': 'no-store',
  }
}
