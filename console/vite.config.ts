import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'

/** The browser app: hashed files, nothing inline, so that the desk can serve it under a strict content security policy. The desk puts a fresh nonce in the place of `__NONCE__`. */
const config: UserConfig = defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // It comes from this very computer: what has to be small is what the first screen needs, and a test looks at that.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A browser gets two files sooner than sixty: what asks the desk, and all else that the first screen needs.
            {
              name: 'open',
              test: /\/console\/(?:open\.ts|desk\/(?:call|desk-link|desk-view|read-events|session)\.ts|language\/load-catalogue\.ts)$|vite\/preload-helper/u,
              priority: 1,
            },
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
})

export default config
