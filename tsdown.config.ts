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
    // The SDK carries a compiler of JSON Schema that we never run, because results pass as they came: its smallest one loads in a third of the time.
    alias: { '@modelcontextprotocol/client/_shims': `${import.meta.dirname}/node_modules/@modelcontextprotocol/client/dist/shimsWorkerd.mjs` },
    deps: { alwaysBundle: [/^(?!libsql|@libsql\/|jsonc-parser|open$)/], onlyBundle: false },
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
