import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { holdServer } from './sandbox.ts'

/** Long enough for npm on a machine that is busy. */
const LONG = 120_000

/** A registry of one package, whose program says where it could write. @returns its address */
async function openRegistry(base: string): Promise<string> {
  const folder = join(base, 'registry/package')
  mkdirSync(folder, { recursive: true })
  const manifest = { name: 'little-server', version: '1.0.0', bin: { 'little-server': 'server.js' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const program = `#!/usr/bin/env node
const { writeFileSync } = require('fs')
const can = (path) => { try { writeFileSync(path, 'x'); return true } catch { return false } }
console.log(JSON.stringify({ root: can(process.argv[2] + '/made'), outside: can(process.argv[3] + '/made') }))`
  writeFileSync(join(folder, 'server.js'), program, { mode: 0o755 })
  const tarball = execFileSync('tar', ['-cz', '-C', join(base, 'registry'), 'package'])
  const server = createServer(({ url = '', headers }, response) => {
    const isPackage = url.startsWith('/little-server')
    if (url.endsWith('.tgz')) response.end(tarball)
    else
      response.writeHead(isPackage ? 200 : 404, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          name: 'little-server',
          'dist-tags': { latest: '1.0.0' },
          versions: {
            '1.0.0': {
              ...manifest,
              dist: { tarball: `http://${headers.host}/little-server.tgz`, integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}` },
            },
          },
        }),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe.runIf(process.platform === 'linux')('a server that npx downloads', () => {
  test.each(['bubblewrap', 'landlock'] as const)(
    'starts held by %s, with a cache of its own, and leaves nothing behind',
    async (only) => {
      const base = realpathSync(mkdtempSync(join(tmpdir(), 'npx-')))
      onTestFinished(() => rmSync(base, { recursive: true, force: true }))
      for (const folder of ['root', 'outside', 'home', 'state']) mkdirSync(join(base, folder))
      const registry = await openRegistry(base)
      const run = async (isOffline: boolean): Promise<{ readonly code: unknown; readonly output: string }> => {
        const held = await holdServer(
          {
            command: 'npx',
            args: ['-y', 'little-server', join(base, 'root'), join(base, 'outside')],
            env: {
              PATH: process.env['PATH'] ?? '',
              HOME: join(base, 'home'),
              npm_config_registry: registry,
              npm_config_fetch_retries: '0',
              npm_config_update_notifier: 'false',
            },
            cwd: join(base, 'root'),
          },
          { roots: [{ path: join(base, 'root'), access: 'read-write' }], readable: [], isOffline, home: join(base, 'home'), state: join(base, 'state') },
          { only },
        )
        onTestFinished(() => held.close())
        const child = spawn(held.command, held.args, { env: held.env, cwd: join(base, 'root'), stdio: ['ignore', 'pipe', 'ignore'] })
        let output = ''
        child.stdout.on('data', (chunk) => (output += String(chunk)))
        const [code] = (await once(child, 'close')) as readonly unknown[]
        return { code, output: output.trim() }
      }

      expect(await run(false)).toEqual({ code: 0, output: '{"root":true,"outside":false}' })
      expect([readFileSync(join(base, 'root/made'), 'utf8'), readdirSync(join(base, 'home')), readdirSync(join(base, 'outside'))]).toEqual(['x', [], []])
      if (only === 'bubblewrap') expect((await run(true)).code).not.toBe(0)
      else await expect(run(true)).rejects.toThrow('network')
    },
    LONG,
  )
})
