import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: { include: ['*.test.ts'], dir: import.meta.dirname, root: import.meta.dirname, testTimeout: 180_000, hookTimeout: 60_000 },
})

export default config
