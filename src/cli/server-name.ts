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

/** What a server without a given name is called: its command's first word that is neither a runtime nor a flag, without folder and extension. */
export function nameAfterCommand(command: readonly string[]): string {
  const words = command.map((word) => ({ word, name: bareName(word) }))
  const telling = words.find(
    ({ word, name }) => name !== '' && !word.startsWith('-') && !RUNTIMES.has(name.toLowerCase()) && !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word),
  )
  return telling?.name ?? (words[0]?.name || 'server')
}

/** `@scope/server-files@1.2` is called server-files, `C:\tools\travel.cmd` travel. */
function bareName(word: string): string {
  const last = word.split(/[\\/]/).findLast((part) => part !== '') ?? ''
  const withoutVersion = last.replace(/(?<=.)@[^@]*$/, '')
  return withoutVersion.replace(/(?<=.)\.(?:[cm]?[jt]s|py|rb|jar|exe|cmd|bat|sh|ps1)$/i, '')
}
