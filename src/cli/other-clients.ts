import type { ClientFile } from '../console-api/call.ts'
import { configFolderOf, folderIn, homeOf, pathsOf, type Place } from './place.ts'

/** What `--client` takes: the clients whose files `install` looks after by itself. */
export const installableClients = ['claude-desktop', 'claude-code', 'cursor', 'vscode'] as const
export type InstallableClient = (typeof installableClients)[number]

/** A config file that another client may have, of this user or of the project that we are in. */
export interface OtherClientFile extends ClientFile {
  readonly installs: InstallableClient | undefined
  readonly scope: 'user' | 'project'
  /** Where its servers are started. */
  readonly folder: string
}

type Base = 'home' | 'config' | 'project' | 'claude' | 'codex' | 'zed'

const files: readonly (readonly [client: string, installs: InstallableClient | undefined, base: Base, file: string, format: ClientFile['format']])[] = [
  ['Claude Desktop', 'claude-desktop', 'config', 'Claude/claude_desktop_config.json', 'mcpServers'],
  ['Claude Code', 'claude-code', 'claude', '.claude.json', 'claude-code'],
  ['Claude Code, this project', 'claude-code', 'project', '.mcp.json', 'mcpServers'],
  ['Cursor', 'cursor', 'home', '.cursor/mcp.json', 'mcpServers'],
  ['Cursor, this project', 'cursor', 'project', '.cursor/mcp.json', 'mcpServers'],
  ['VS Code', 'vscode', 'config', 'Code/User/mcp.json', 'servers'],
  ['VS Code, settings', 'vscode', 'config', 'Code/User/settings.json', 'servers'],
  ['VS Code, this project', 'vscode', 'project', '.vscode/mcp.json', 'servers'],
  ['Windsurf', undefined, 'home', '.codeium/windsurf/mcp_config.json', 'mcpServers'],
  ['Zed', undefined, 'zed', 'settings.json', 'context_servers'],
  ['Codex', undefined, 'codex', 'config.toml', 'codex-toml'],
  ['Gemini CLI', undefined, 'home', '.gemini/settings.json', 'mcpServers'],
  ['Gemini CLI, this project', undefined, 'project', '.gemini/settings.json', 'mcpServers'],
]

/** Where other clients keep their servers on this machine, and how each writes them down; whether any of them is there is not asked here. */
export function otherClientFiles(place: Place): readonly OtherClientFile[] {
  const paths = pathsOf(place)
  return files.map(([client, installs, base, file, format]) => {
    const scope = base === 'project' ? 'project' : 'user'
    return {
      client,
      installs,
      file: paths.join(folderOf(base, place), ...file.split('/')),
      format,
      scope,
      folder: scope === 'project' ? place.cwd : homeOf(place),
    }
  })
}

function folderOf(base: Base, place: Place): string {
  const paths = pathsOf(place)
  const home = homeOf(place)
  switch (base) {
    case 'home':
      return home
    case 'project':
      return place.cwd
    case 'config':
      return configFolderOf(place)
    case 'claude':
      return folderIn(place, 'CLAUDE_CONFIG_DIR') ?? home
    case 'codex':
      return folderIn(place, 'CODEX_HOME') ?? paths.join(home, '.codex')
    case 'zed':
      // Zed keeps to `.config` on macOS too.
      return place.platform === 'win32'
        ? paths.join(configFolderOf(place), 'Zed')
        : paths.join(folderIn(place, 'XDG_CONFIG_HOME') ?? paths.join(home, '.config'), 'zed')
    default:
      return base satisfies never
  }
}
