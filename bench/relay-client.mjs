// The client's end of a measured connection: it writes lines, and looks at no more of what comes back than it must.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const META = 'io.modelcontextprotocol/'
const modernMeta = {
  [`${META}protocolVersion`]: '2026-07-28',
  [`${META}clientInfo`]: { name: 'bench', version: '1' },
  [`${META}clientCapabilities`]: {},
}

export class RelayClient {
  #child
  #expected = 0
  #done
  #nextId = 1

  constructor(command, { env = {}, era = 'legacy' } = {}) {
    this.era = era
    this.#child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } })
    this.#child.stdout.on('data', (chunk) => {
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) {
        this.#expected -= 1
        if (this.#expected === 0) this.#done()
      }
    })
  }

  get pid() {
    return this.#child.pid
  }

  /** Milliseconds of resident memory's high life are not looked at: what is held now, in MB. */
  memory() {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))[1]) / 1024
  }

  async handshake() {
    if (this.era === 'legacy') {
      await this.#request([{ method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } } }])
      this.#write([{ method: 'notifications/initialized' }])
    }
    await this.#request([{ method: 'tools/list', params: this.#params({}) }])
  }

  /** Calls a tool so many times at once; resolves when all are answered. */
  call(name, times = 1) {
    return this.#request(
      Array.from({ length: times }, () => ({ method: 'tools/call', params: this.#params({ name, arguments: { city: 'Barcelona', nights: 7 } }) })),
    )
  }

  async close() {
    const gone = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.stdin.end()
    await gone
  }

  #params(params) {
    return this.era === 'legacy' ? params : { ...params, _meta: modernMeta }
  }

  #request(messages) {
    return new Promise((resolve) => {
      this.#expected = messages.length
      this.#done = resolve
      this.#write(messages.map((message) => ({ id: this.#nextId++, ...message })))
    })
  }

  #write(messages) {
    this.#child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  }
}
