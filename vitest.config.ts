import { defineConfig, type ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/!(peers)/**/*.test.ts', 'demo/**/*.test.ts', 'console/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/fixtures/unpack-browser.ts'],
    // Longer than a page is waited for: what it was waited for is said.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['dot'],
  },
})

export default config
