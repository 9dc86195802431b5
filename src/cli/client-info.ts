import { readFileSync } from 'node:fs'

/** What this program calls itself: to people with `--version`, to servers in the handshake. */
export function clientInfo(): { readonly name: string; readonly title: string; readonly version: string } {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
  return { name: 'consentry', title: 'Consentry', version }
}
