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
  },
})

export default config
