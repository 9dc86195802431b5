// Sampling: checking a long request, choosing among many models, the first streamed word, and the copies of a large image.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseModel, createModels, createSamplingMemory, parseSamplingRequest, sample } from '../dist/lib/sampling.js'
import { Inbox } from '../dist/lib/index.js'
import { Policy } from '../dist/lib/policy.js'
import { median, verdict } from './report.mjs'

const MEGABYTE = 1024 * 1024
const IMAGE_BYTES = 10 * MEGABYTE
/** So long a provider leaves what it is sent where it is, and so long it thinks then. */
const READING_AFTER_MS = 1000
const THINKING_MS = 1000
const text = (words) => ({ type: 'text', text: words })
const image = (bytes) => ({ type: 'image', data: 'A'.repeat(Math.floor(bytes / 3) * 4), mimeType: 'image/png' })
const origin = {
  server: { name: 'bench', named: true, target: { kind: 'custom', description: 'bench' } },
  connection: 'c',
  era: 'legacy',
  revision: '2025-11-25',
}
const everything = { roots: true, form: true, url: true, sampling: true, samplingTools: true }

export async function measureSampling() {
  return [measureCheck(), measureChoice(), await measureFirstWord(), await measureImage()].every(Boolean)
}

function measureCheck() {
  const picture = image(100 * 1024)
  const messages = Array.from({ length: 200 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: index % 20 === 0 ? [text('What is this?'), picture] : text('A turn of a long conversation. '.repeat(20)),
  }))
  const times = Array.from({ length: 101 }, () => {
    const start = performance.now()
    parseSamplingRequest({ messages, maxTokens: 1000 }, { tools: true })
    return performance.now() - start
  })
  return verdict('checking 200 messages with ten images', `${median(times).toFixed(2)} ms (limit 20 ms)`, median(times) <= 20)
}

function measureChoice() {
  const models = Array.from({ length: 200 }, (_, index) => ({
    provider: 'lab',
    model: `model-${index}`,
    cost: { input: index + 1, output: 2 * index + 1 },
    speed: 200 - index,
    intelligence: index / 200,
    modalities: ['text', 'image'],
    tools: true,
    contextTokens: 200_000,
  }))
  const preferences = { hints: [{ name: 'sonnet' }, { name: 'model-1' }], costPriority: 0.3, speedPriority: 0.2, intelligencePriority: 0.9 }
  const times = Array.from({ length: 101 }, () => {
    const start = performance.now()
    chooseModel(models, preferences, { needs: ['image', 'tools'], inputTokens: 1000, maxTokens: 1000 })
    return performance.now() - start
  })
  return verdict('choosing among 200 models', `${median(times).toFixed(3)} ms (limit 1 ms)`, median(times) <= 1)
}

/** From the moment a provider writes its first word to the moment a reviewer's draft has it. */
async function measureFirstWord() {
  const delays = []
  for (let round = 0; round < 11; round += 1) {
    let sentAt = 0
    const provider = await startProvider((response) => {
      sentAt = performance.now()
      response.write(chunk({ content: 'Take' }))
    })
    const inbox = new Inbox()
    inbox.attach({ name: 'bench', kinds: ['completion'] })
    const seen = new Promise((resolve) => {
      inbox.on('review-opened', (review) => {
        const look = ({ content }) => content.length > 0 && resolve(performance.now() - sentAt)
        look(review.draft.value)
        review.draft.subscribe(look)
      })
    })
    const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', baseUrl: provider.baseUrl }] })
    const policy = new Policy({ rules: [{ request: 'sampling', decision: 'allow', review: 'completion' }] })
    const asker = new AbortController()
    const request = { kind: 'sampling', params: { messages: [{ role: 'user', content: text('hi') }], maxTokens: 10 }, revision: '2025-11-25' }
    const answer = sample(request, origin, { policy, reviewer: inbox, capabilities: everything, models, memory: createSamplingMemory() }, asker.signal)
    delays.push(await seen)
    asker.abort()
    await answer
    provider.close()
  }
  return verdict('a first streamed word reaches the reviewer', `${median(delays).toFixed(1)} ms (limit 50 ms)`, median(delays) <= 50)
}

/** Memory that a large image takes beyond itself, at most: while it is made ready, while its provider, in a process of its own, has not read it yet, and while that thinks about it. */
async function measureImage() {
  const provider = await startThinker()
  const models = createModels({ entries: [{ provider: 'lab', model: 'tiny', baseUrl: provider.baseUrl, modalities: ['text', 'image'] }] })
  const ask = (picture) => models.complete('lab:tiny', { messages: [{ role: 'user', content: [picture] }], maxTokens: 10 }, new AbortController().signal)
  await ask(image(1024))
  const picture = parsedImage()
  // What it was made of is let go of only when the work of this moment is over, and would count as taken before.
  await sleep(20)
  const before = takenBytes()
  let isOver = false
  const asking = ask(picture).finally(() => (isOver = true))
  let most = 0
  while (!isOver) {
    most = Math.max(most, takenBytes() - before)
    await sleep(20)
  }
  await asking
  const copies = most / picture.data.length
  provider.close()
  return verdict('copies of a 10 MB image that is being asked about', `${copies.toFixed(1)} (limit 2)`, copies <= 2.1)
}

/** As it comes out of a parser: a repeated text would become one only when it is sent. */
function parsedImage() {
  return JSON.parse(JSON.stringify(image(IMAGE_BYTES)))
}

function takenBytes() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function startThinker() {
  const code = `
    const answer = JSON.stringify({ id: 'x', model: 'tiny', choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } })
    const server = require('http').createServer((request, response) => {
      setTimeout(() => request.resume(), ${READING_AFTER_MS})
      request.on('end', () => setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(answer), ${THINKING_MS}))
    })
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return { baseUrl: `http://127.0.0.1:${String(port).trim()}/v1`, close: () => child.kill() }
}

async function startProvider(begin) {
  const server = createServer((request, response) => {
    request.on('data', () => undefined)
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      setTimeout(() => begin(response), 20)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function chunk(delta) {
  return `data: ${JSON.stringify({ id: 'x', model: 'tiny', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
}
