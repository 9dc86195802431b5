import { join } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** What a file loads at once, itself included. */
function loadedWith(graph: Graph, file: string): Set<string> {
  const found = new Set<string>([join(import.meta.dirname, file)])
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}

/** Each file costs a millisecond to load: what `wrap` and `call` load anyway comes in few. What they load only when it is needed stays apart. */
function chunkOf(id: string, graph: Graph): string | null {
  if (loadedWith(graph, 'src/cli/wrap.ts').has(id)) return 'start'
  if (!loadedWith(graph, 'src/cli/call.ts').has(id)) return null
  if (/node_modules\/(@modelcontextprotocol|zod)|src\/(mcp|host)\//.test(id)) return 'client'
  return /src\/(elicitation|sampling|desk)\/|node_modules\/(?!jsonc-parser)/.test(id) ? null : 'common'
}

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
    outputOptions: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] } },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    alias: {
      '@modelcontextprotocol/client/_shims': `${import.meta.dirname}/src/mcp/client-shims.ts`,
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
