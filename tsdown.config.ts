import { defineConfig, type UserConfig } from 'tsdown'

const shared: UserConfig = {
  platform: 'node',
  target: 'node20',
  format: 'esm',
  fixedExtension: false,
  sourcemap: false,
  hash: true,
  clean: false,
}

/** The library keeps its dependencies outside; the program carries them, because a hundred small files read at start cost more than the work itself. */
const config: UserConfig[] = defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      roots: 'src/roots/index.ts',
      elicitation: 'src/elicitation/index.ts',
      sampling: 'src/sampling/index.ts',
      policy: 'src/policy/index.ts',
      audit: 'src/audit/index.ts',
      testing: 'src/testing/index.ts',
    },
    outDir: 'dist/lib',
    dts: { oxc: true },
  },
  {
    ...shared,
    entry: { main: 'src/cli/main.ts' },
    outDir: 'dist/cli',
    dts: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    alias: {
      // The SDK carries a compiler of JSON Schema that we never run, because results pass as they came: its smallest one loads in a third of the time.
      '@modelcontextprotocol/client/_shims': `${import.meta.dirname}/node_modules/@modelcontextprotocol/client/dist/shimsWorkerd.mjs`,
      // Its main file cannot be bundled, and loading it from outside costs 30 ms and 5 MB in front of every server.
      'jsonc-parser': `${import.meta.dirname}/node_modules/jsonc-parser/lib/esm/main.js`,
    },
    deps: { alwaysBundle: [/^(?!libsql|@libsql\/|open$)/], onlyBundle: false },
  },
  {
    ...shared,
    entry: { 'travel-server': 'demo/travel/travel-server.ts' },
    outDir: 'dist/demo',
    dts: false,
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    copy: [{ from: 'demo/travel/workspace', to: 'dist/demo' }],
  },
])

export default config
