import { resolve } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const known = new Map<string, Set<string>>()

/** What files load at once, themselves included. */
function loadedWith(graph: Graph, ...files: string[]): Set<string> {
  const found = known.get(files.join()) ?? new Set<string>(files.map((file) => resolve(import.meta.dirname, file)))
  if (known.has(files.join())) return found
  known.set(files.join(), found)
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}

const isOfSdk = (id: string): boolean => /node_modules\/(@modelcontextprotocol|zod)\//.test(id)

/** Each file costs a millisecond to load: what a command loads anyway comes in few. What is loaded only when it is needed stays apart. */
function chunkOf(id: string, graph: Graph): string | null {
  // It waits for the command that it loads, which must not wait for it.
  if (id.endsWith('src/cli/main.ts')) return null
  if (loadedWith(graph, 'src/cli/main.ts', 'src/cli/wrap.ts').has(id)) return 'start'
  if (loadedWith(graph, 'src/gateway/gateway.ts').has(id)) return loadedWith(graph, 'src/cli/call.ts').has(id) ? 'both' : 'gateway'
  // Read before a server starts, where there is one.
  if (loadedWith(graph, 'src/cli/read-answers.ts', 'src/cli/open-config.ts').has(id)) return 'files'
  if (/src\/(elicitation|sampling|desk)\/|node_modules\/(?!@modelcontextprotocol|zod|jsonc-parser)/.test(id)) return null
  if (!loadedWith(graph, 'src/cli/call.ts').has(id)) return null
  return [...loadedWith(graph, id)].some(isOfSdk) ? 'client' : 'common'
}

/** Making every schema of the protocol takes a sixth of the time of a short command: those that the SDK describes are made when they are read with. */
const sdkZod = {
  name: 'sdk-zod',
  resolveId: (id: string, importer: string | undefined): string | undefined =>
    id === 'zod/v4' && importer !== undefined && /node_modules\/@modelcontextprotocol\//.test(importer)
      ? resolve(import.meta.dirname, 'src/mcp/deferred-zod.ts')
      : undefined,
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
      'server-kit': 'src/server-kit/index.ts',
      testing: 'src/testing/index.ts',
    },
    outDir: 'dist/lib',
    dts: { oxc: true },
  },
  {
    ...shared,
    entry: { main: 'src/cli/main.ts' },
    plugins: [sdkZod],
    outDir: 'dist/cli',
    dts: false,
    outputOptions: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] } },
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    alias: {
      '@modelcontextprotocol/client/_shims': `${import.meta.dirname}/src/mcp/client-shims.ts`,
      // Its main file cannot be bundled, and loading it from outside costs 30 ms and 5 MB in front of every server.
      'jsonc-parser': `${import.meta.dirname}/node_modules/jsonc-parser/lib/esm/main.js`,
    },
    // What only some users install is found where they installed it.
    deps: { alwaysBundle: [/^(?!libsql|@libsql\/|open$|@napi-rs\/|@ai-sdk\/(?:anthropic|openai|google)$)/], onlyBundle: false },
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
