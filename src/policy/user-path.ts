/** Puts the home folder in place of a leading `~`. `~other` stays as it is. */
export function expandHome(path: string, home: string, platform: 'posix' | 'win32'): string {
  if (path === '~') return home
  const belowHome = platform === 'win32' ? /^~[\\/]/ : /^~\//
  return belowHome.test(path) ? `${home.replace(platform === 'win32' ? /[\\/]$/ : /\/$/, '')}${path.slice(1)}` : path
}

/** Makes a path absolute by putting it below a folder. */
export function resolveBelow(directory: string, path: string, platform: 'posix' | 'win32'): string {
  if (isAbsolute(path, platform)) return path
  return `${directory}${platform === 'win32' ? '\\' : '/'}${path}`
}

/** Says what is malformed about a path that a person wrote, whatever is on the disk; undefined where nothing is. */
export function findPathFault(path: string, platform: 'posix' | 'win32'): string | undefined {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return 'must be a path, not a URI'
  if (platform === 'win32' && /^[\\/]{2}\.[\\/]/.test(path)) return 'must not name a device'
  if (platform === 'win32' && /^[A-Za-z]:(?![\\/])/.test(path)) return 'must say which folder of the drive is meant: C:\\folder'
  if (!isAbsolute(path, platform)) return 'must be absolute, or begin with ~/'
  return undefined
}

function isAbsolute(path: string, platform: 'posix' | 'win32'): boolean {
  if (platform === 'posix') return path.at(0) === '/'
  return /^[A-Za-z]:[\\/]/.test(path) || /^[\\/]{2}[^\\/]+[\\/]+[^\\/]/.test(path)
}
