import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { SecondTries } from './test/fixtures/second-tries.ts'

const config: ViteUserConfig = defineConfig({
  test: {
    environment: 'node',
    // Longer than a page is waited for: what it was waited for is said.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['dot', new SecondTries()],
    projects: [
      {
        extends: true,
        test: { name: 'program', include: ['src/**/*.test.ts', 'test/!(peers|console)/**/*.test.ts', 'demo/**/*.test.ts', 'console/**/*.test.ts'] },
      },
      {
        extends: true,
        // A browser, a desk and servers share two cores: one race that is lost is told, and does not hide what all the others say. Nowhere else: what may never happen has no second try.
        test: { name: 'browser', include: ['test/console/**/*.test.ts'], retry: 1, globalSetup: ['test/fixtures/unpack-browser.ts'] },
      },
    ],
  },
})

export default config
