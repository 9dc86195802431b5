// 10,000 reviews that wait at once: memory beyond their payload, and listing the first 50.
import { Inbox } from '../dist/lib/index.js'
import { median, verdict } from './report.mjs'

const COUNT = 10_000
const LIMIT_BYTES = 4096
const LIMIT_MS = 20

export async function measureInbox() {
  const inbox = new Inbox({ perServer: { waiting: COUNT, perMinute: COUNT } })
  inbox.attach({ name: 'bench', kinds: ['form'] })
  const payloads = Array.from({ length: COUNT }, (_, index) => payload(index))
  const before = await heapBytes()
  const askers = payloads.map((request) => {
    const asker = new AbortController()
    void inbox.review(request, asker.signal)
    return asker
  })
  const bytes = ((await heapBytes()) - before) / COUNT
  const times = Array.from({ length: 21 }, () => {
    const start = performance.now()
    inbox.list({ limit: 50 })
    return performance.now() - start
  })
  const isSmall = verdict('one waiting review beyond its payload', `${Math.round(bytes)} bytes (limit ${LIMIT_BYTES})`, bytes <= LIMIT_BYTES)
  const isFast = verdict(`listing the first 50 of ${inbox.size}`, `${median(times).toFixed(3)} ms (limit ${LIMIT_MS})`, median(times) <= LIMIT_MS)
  inbox.close()
  return askers.length === COUNT && isSmall && isFast
}

function payload(index) {
  return {
    kind: 'form',
    origin: {
      server: { name: 'bench', named: true, target: { kind: 'custom', description: 'bench' } },
      connection: 'c',
      era: 'legacy',
      revision: '2025-11-25',
    },
    subject: { message: `question ${index}`, form: { fields: [], notes: [], schema: {} } },
    draft: {},
  }
}

async function heapBytes() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}
