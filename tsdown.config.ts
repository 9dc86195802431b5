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
  // Nothing is loaded from it.
  if (id.endsWith('src/cli/main.ts')) return null
  if (loadedWith(graph, 'src/cli/main.ts', 'src/cli/wrap.ts').has(id)) return 'start'
  if (loadedWith(graph, 'src/gateway/gateway.ts').has(id)) return loadedWith(graph, 'src/cli/call.ts').has(id) ? 'both' : 'gateway'
  // Read before a server starts, where there are any.
  if (loadedWith(graph, 'src/cli/read-answers.ts').has(id)) return 'answers'
  if (loadedWith(graph, 'src/cli/open-config.ts').has(id)) return 'config'
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

const jsoncParser = resolve(import.meta.dirname, 'node_modules/jsonc-parser/lib/esm')

/** Its main file cannot be bundled, and makes ready for editing what most commands only read: they wait for that in front of every server. */
const jsoncReader = {
  name: 'jsonc-reader',
  resolveId(id: string, importer: string | undefined): string | undefined {
    if (id !== 'jsonc-parser') return undefined
    return importer?.endsWith('src/policy/read-jsonc.ts') ? 'jsonc-reader' : `${jsoncParser}/main.js`
  },
  load: (id: string): string | undefined =>
    id === 'jsonc-reader'
      ? `export { createScanner } from '${jsoncParser}/impl/scanner.js'; export { findNodeAtLocation, parseTree } from '${jsoncParser}/impl/parser.js'`
      : undefined,
}

/** One character beyond ASCII makes V8 hold and read a whole file in twice the bytes: texts and patterns mean the same with escapes. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_: unknown, bundle: Readonly<Record<string, { code?: string }>>): void {
    for (const [name, file] of Object.entries(bundle)) {
      if (file.code === undefined) continue
      // There an escape would stand for itself.
      if (/(?<!\\)(?:\\\\)*\\[^\0-\x7f]|\braw`[^`]*[^\0-\x7f]/.test(file.code))
        throw new Error(`${name}: a character beyond ASCII stands where it cannot be escaped`)
      file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
  },
}

/** Node is ready for it about 20 ms sooner: its loader of modules is made ready before the first line of ours is read. */
const commonJs = {
  name: 'common-js',
  generateBundle(this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): void }): void {
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
  },
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
    format: 'cjs',
    outExtensions: () => ({ js: '.js' }),
    plugins: [sdkZod, jsoncReader, asciiOnly, commonJs],
    outDir: 'dist/cli',
    dts: false,
    outputOptions: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] } },
    // What is shorter is read sooner; the names of functions and classes stay, for whoever reads where an error came from.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    alias: { '@modelcontextprotocol/client/_shims': `${import.meta.dirname}/src/mcp/client-shims.ts` },
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
