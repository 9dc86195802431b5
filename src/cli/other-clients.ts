import { join } from 'node:path'
import type { ClientFile } from '../console-api/index.ts'
import { homeOf, type Place } from './place.ts'

/** Where other clients keep their servers on this machine, and how each writes them down; whether any of them is there is not asked here. */
export function otherClientFiles(place: Place): readonly ClientFile[] {
  const { environment, cwd } = place
  const home = homeOf(place)
  const config = configFolderOf(place)
  const codex = environment['CODEX_HOME'] ?? join(home, '.codex')
  return [
    { client: 'Claude Desktop', file: join(config, 'Claude', 'claude_desktop_config.json'), format: 'mcpServers' },
    { client: 'Claude Code', file: join(home, '.claude.json'), format: 'claude-code' },
    { client: 'Claude Code, this project', file: join(cwd, '.mcp.json'), format: 'mcpServers' },
    { client: 'Cursor', file: join(home, '.cursor', 'mcp.json'), format: 'mcpServers' },
    { client: 'Cursor, this project', file: join(cwd, '.cursor', 'mcp.json'), format: 'mcpServers' },
    { client: 'VS Code', file: join(config, 'Code', 'User', 'mcp.json'), format: 'servers' },
    { client: 'VS Code, settings', file: join(config, 'Code', 'User', 'settings.json'), format: 'servers' },
    { client: 'VS Code, this project', file: join(cwd, '.vscode', 'mcp.json'), format: 'servers' },
    { client: 'Windsurf', file: join(home, '.codeium', 'windsurf', 'mcp_config.json'), format: 'mcpServers' },
    { client: 'Zed', file: zedFile(place), format: 'context_servers' },
    { client: 'Codex', file: join(codex, 'config.toml'), format: 'codex-toml' },
    { client: 'Gemini CLI', file: join(home, '.gemini', 'settings.json'), format: 'mcpServers' },
    { client: 'Gemini CLI, this project', file: join(cwd, '.gemini', 'settings.json'), format: 'mcpServers' },
  ]
}

function configFolderOf(place: Place): string {
  const { environment, platform } = place
  const home = homeOf(place)
  if (platform === 'win32') return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return environment['XDG_CONFIG_HOME'] ?? join(home, '.config')
}

/** Zed keeps to `.config` on macOS too. */
function zedFile(place: Place): string {
  if (place.platform === 'win32') return join(configFolderOf(place), 'Zed', 'settings.json')
  return join(place.environment['XDG_CONFIG_HOME'] ?? join(homeOf(place), '.config'), 'zed', 'settings.json')
}
