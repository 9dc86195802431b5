const RUNTIMES = new Set([
  'bun',
  'bunx',
  'cmd',
  'deno',
  'docker',
  'env',
  'go',
  'java',
  'node',
  'npm',
  'npx',
  'pipx',
  'pnpm',
  'podman',
  'poetry',
  'py',
  'python',
  'python2',
  'python3',
  'ruby',
  'run',
  'exec',
  'dlx',
  'sh',
  'bash',
  'tsx',
  'uv',
  'uvx',
  'yarn',
])

/** Files that say nothing about whose they are, and folders that say as little. */
const SILENT_FILES = new Set(['index', 'main', '__main__'])
const SILENT_FOLDERS = new Set(['.', '..', 'bin', 'build', 'cli', 'dist', 'lib', 'out', 'src'])

/**
 * What a server without a given name is called: its command's first word that is neither a runtime nor a flag, without folder and extension.
 * One that is started from a file like `dist/index.js` is called after the folder that it lies in.
 *
 * @param cwd where the command is started
 */
export function nameAfterCommand(command: readonly string[], cwd = ''): string {
  const words = command.map((word) => ({ word, name: bareName(word) }))
  const telling = words.find(
    ({ word, name }) => name !== '' && !word.startsWith('-') && !RUNTIMES.has(name.toLowerCase()) && !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word),
  )
  if (telling !== undefined && SILENT_FILES.has(telling.name)) return folderAround(telling.word, cwd) ?? telling.name
  return telling?.name ?? (words[0]?.name || 'server')
}

function folderAround(file: string, cwd: string): string | undefined {
  const isWhole = /^(?:[\\/]|[A-Za-z]:)/.test(file)
  const folders = (isWhole ? file : `${cwd}/${file}`).split(/[\\/]/).slice(0, -1)
  return folders.findLast((folder) => folder !== '' && !/^[A-Za-z]:$/.test(folder) && !SILENT_FOLDERS.has(folder))
}

/** `@scope/server-files@1.2` is called server-files, `C:\tools\travel.cmd` travel. */
function bareName(word: string): string {
  const last = word.split(/[\\/]/).findLast((part) => part !== '') ?? ''
  const withoutVersion = last.replace(/(?<=.)@[^@]*$/, '')
  return withoutVersion.replace(/(?<=.)\.(?:[cm]?[jt]s|py|rb|jar|exe|cmd|bat|sh|ps1)$/i, '')
}
