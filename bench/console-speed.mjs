// The console in a real browser: what it loads, how soon a question is seen, how it scrolls, and what a desk costs that has nothing to do.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { runnerImport } from 'vite'
import { RelayClient } from './relay-client.mjs'
import { median, verdict } from './report.mjs'

const here = import.meta.dirname
const program = process.env.CONSENTRY_PROGRAM ?? join(here, '../dist/cli/main.js')
const OPENINGS = 5
const QUESTIONS = 9
const MANY = 5000
const FRAMES = 60
const IDLE_MS = 20_000
/** Once, in the first seconds after its start, Node gives back what starting took. */
const SETTLING_MS = 15_000
const fixture = async (name) => (await runnerImport(join(here, '../test/fixtures', name))).module

/** Runs in the page: `seen` is when a review was drawn, by the clock that this process has too; once it is gone, when the next one is. */
const watch = `
  let tell
  const look = () => {
    const isThere = document.querySelector('[data-bar]') !== null
    if (isThere && tell) requestAnimationFrame(((drawn) => () => setTimeout(drawn))(tell))
    if (isThere) return void (tell = undefined)
    if (!tell) globalThis.seen = new Promise((resolve) => (tell = () => resolve(performance.timeOrigin + performance.now())))
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
  look()`
const now = () => performance.timeOrigin + performance.now()

export async function measureConsole() {
  const { launchBrowser } = await fixture('browser.ts')
  const home = mkdtempSync(join(tmpdir(), 'bench-console-'))
  const env = { CONSENTRY_HOME: join(home, 'state'), HOME: home }
  const browser = await launchBrowser()
  try {
    return [await measureDesk(browser, env), await measureScrolling(browser)].every(Boolean)
  } finally {
    await browser.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A desk, a wrap that uses it, and a window. */
async function measureDesk(browser, env) {
  const desk = spawn(process.execPath, [program, 'up', '--no-open', '--json'], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  let client
  try {
    const [line] = await once(desk.stdout, 'data')
    const { url, pid } = JSON.parse(line)
    const isLight = await measureIdle(pid)
    client = new RelayClient([process.execPath, program, 'wrap', '--', process.execPath, join(here, 'relay-server.mjs')], { env })
    await client.handshake()
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en' })).newPage()
    await page.addInitScript(watch)
    const opening = await measureOpening(page, client, url)
    const news = await measureNews(page, client)
    await page.context().close()
    return [isLight, opening, news].every(Boolean)
  } finally {
    await client?.close()
    desk.kill()
    await once(desk, 'exit')
  }
}

async function measureIdle(pid) {
  await sleep(SETTLING_MS)
  const before = busyMs(pid)
  await sleep(IDLE_MS)
  const share = ((busyMs(pid) - before) * 100) / IDLE_MS
  const megabytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  return [
    verdict('a desk that has nothing to do, memory', `${megabytes.toFixed(1)} MB (limit 90)`, megabytes < 90),
    verdict('a desk that has nothing to do, processor', `${share.toFixed(2)} % of a core (limit 0.5)`, share <= 0.5),
  ].every(Boolean)
}

/** Of all threads, in nanoseconds at its source: a tick of the clock is too coarse for what does next to nothing. */
function busyMs(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  )
}

/** With a question that waits: from the first load on to its being drawn. */
async function measureOpening(page, client, url) {
  const bodies = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (type === 'script' || type === 'document') bodies.push(response.body().then((body) => ({ type, path: new URL(response.url()).pathname, body })))
  })
  const asked = client.call('ask')
  await sleep(300)
  const times = []
  for (let round = 0; round < OPENINGS; round += 1) {
    const began = now()
    await (round === 0 ? page.goto(url) : page.reload())
    times.push((await page.evaluate('globalThis.seen')) - began)
    if (round > 0) continue
    times.isSmall = compareSizes(await Promise.all(bodies))
    bodies.length = 0
  }
  await decline(page)
  await asked
  const text = `${Math.round(times[0])} ms, ${Math.round(median(times))} ms when reloaded (limit 1000)`
  return verdict('console, from opening to the first review', text, times[0] <= 1000 && median(times) <= 1000) && times.isSmall
}

/** What the page itself names is its first load, with the words of its language; what a kind of review needs beyond it comes with the first of that kind. */
function compareSizes(bodies) {
  const html = bodies.find(({ type }) => type === 'document').body.toString()
  const kilobytes = (found) => found.reduce((sum, { body }) => sum + gzipSync(body, { level: 9 }).length, 0) / 1024
  const scripts = bodies.filter(({ type }) => type === 'script')
  const first = kilobytes(scripts.filter(({ path }) => html.includes(path) || /\/(en|ko|zh)-/.test(path)))
  return verdict(
    'console, JavaScript at first load',
    `${first.toFixed(0)} KB gzip, ${kilobytes(scripts).toFixed(0)} KB with the first form (limit 220)`,
    first <= 220,
  )
}

/** From the moment in which the client calls a tool that asks at once, to the moment in which the question is drawn. */
async function measureNews(page, client) {
  const times = []
  for (let round = 0; round < QUESTIONS; round += 1) {
    const began = now()
    const asked = client.call('ask')
    times.push((await page.evaluate('globalThis.seen')) - began)
    await decline(page)
    await asked
  }
  return verdict("console, from a server's question to its review on the screen", `${Math.round(median(times))} ms (limit 100)`, median(times) <= 100)
}

/** What was just drawn is not pressed by accident: the buttons sleep for a moment. */
async function decline(page) {
  await page.locator('[data-bar] button:not([data-asleep])', { hasText: 'Decline' }).first().click()
  await page.getByText('Nothing waits for you').first().waitFor()
}

/** The time between two frames while the list moves, beside the same while it stands. */
async function measureScrolling(browser) {
  const [{ ScriptedConsole }, { formReview }] = await Promise.all([fixture('scripted-console.ts'), fixture('scripted-reviews.ts')])
  const reviews = Array.from({ length: MANY }, (_, index) => formReview(`review-${index}`, { type: 'object', properties: {} }, `server-${index % 7}`))
  const desk = await ScriptedConsole.start(reviews)
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, locale: 'en' })
  try {
    await page.goto(desk.url)
    await page.locator('ul[aria-label="Questions that wait"] > li').first().waitFor()
    const [still, moving] = [await framesOf(page, 0), await framesOf(page, 900)]
    // Two frames of a screen that shows 60 a second.
    const text = `${moving.toFixed(1)} ms a frame (limit 34; ${still.toFixed(1)} ms standing still)`
    return verdict(`console, scrolling through ${MANY} reviews`, text, moving <= 34)
  } finally {
    await page.close()
    await desk.close()
  }
}

async function framesOf(page, step) {
  const times = await page.evaluate(`new Promise((resolve) => {
    const list = document.querySelector('ul[aria-label="Questions that wait"]').parentElement
    const times = []
    let last = performance.now()
    const next = () => {
      const time = performance.now()
      times.push(time - last)
      last = time
      list.scrollTop += ${step}
      if (times.length < ${FRAMES}) requestAnimationFrame(next)
      else resolve(times)
    }
    requestAnimationFrame(next)
  })`)
  return median(times)
}

if (import.meta.filename === process.argv[1]) process.exitCode = (await measureConsole()) ? 0 : 1
