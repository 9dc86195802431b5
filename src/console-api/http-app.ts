import { Hono } from 'hono'
import { ConsentryError, type ErrorCode } from '../errors.ts'
import type { AppFiles } from './app-files.ts'
import { CallBody } from './call-body.ts'
import type { Handler, Handlers, HandledCall } from './call.ts'
import { callPath, keyHeader, mediaPath, noncePlaceholder, openingKey, type CallError, type ConsoleEvent } from './contract.ts'
import { checkOrigin, readBody } from './guard.ts'
import { mediaPage } from './media-page.ts'
import type { MediaShelf } from './media-shelf.ts'
import { protectiveHeaders } from './response-headers.ts'
import { randomText, type Session, type Sessions } from './sessions.ts'
import type { Windows } from './windows.ts'

export interface HttpAppNeeds {
  /** `127.0.0.1:PORT`, known once it listens. */
  readonly authority: () => string
  readonly files: AppFiles
  readonly sessions: Sessions
  readonly windows: Windows
  readonly media: MediaShelf
  readonly handlers: Handlers
  /** The first event of a stream. */
  readonly first: (window: string, missed: 'nothing' | 'everything') => ConsoleEvent
  /** An error of ours, for whoever reads the desk's stderr. */
  readonly report: (error: unknown) => void
}

const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  AUDIT_BROKEN: 503,
  AUDIT_UNAVAILABLE: 503,
  INTERNAL: 500,
  LINK_USED: 401,
  REQUEST_REFUSED: 403,
  SERVER_NOT_FOUND: 404,
  SESSION_ENDED: 401,
  STORE_UNAVAILABLE: 503,
}

/** What the browser talks to: the app's files, media of servers one by one, calls, and the stream. Everything passes the guard first. */
export function createHttpApp(needs: HttpAppNeeds): Hono {
  const { authority, files, sessions, media } = needs
  const app = new Hono()
  app.use(async (context, next) => {
    checkOrigin(context.req.raw, authority())
    await next()
    for (const [name, value] of Object.entries(protectiveHeaders())) if (!context.res.headers.has(name)) context.res.headers.set(name, value)
  })
  app.onError((error, { req }) => refusal(error, needs, acceptsPages(req.raw)))
  app.notFound(() => refusal(new ConsentryError('REQUEST_REFUSED', 'There is nothing here.', { data: { status: 404 } }), needs))

  app.post(`${callPath}session/open`, async ({ req }) => {
    if (req.header(keyHeader) !== openingKey) throw new ConsentryError('REQUEST_REFUSED', `A session is opened with the header ${keyHeader}.`)
    const { id, key } = sessions.open(new CallBody(await readBody(req.raw)).text('token'))
    return answer({ key }, { 'set-cookie': `${cookieName(authority())}=${id}; HttpOnly; SameSite=Strict; Path=/` })
  })
  app.post(`${callPath}events`, async ({ req }) => {
    const session = sessionOf(req.raw, needs)
    return openStream(session, new CallBody(await readBody(req.raw)).optionalText('after', 200), needs)
  })
  for (const [name, handler] of Object.entries(needs.handlers) as [HandledCall, Handler<HandledCall>][])
    app.post(`${callPath}${name}`, async ({ req }) => {
      const session = sessionOf(req.raw, needs)
      const body = new CallBody(await readBody(req.raw))
      if (name !== 'review/check') sessions.noteAct(session)
      return answer(await handler(body, { session, signal: req.raw.signal }))
    })

  app.get(`${mediaPath}:id`, ({ req }) => {
    const found = sessions.knows(cookieOf(req.raw, authority())) ? media.read(req.param('id')) : undefined
    if (found === undefined) throw new ConsentryError('REQUEST_REFUSED', 'There is nothing here.', { data: { status: 404 } })
    return mediaPage(found)
  })
  app.get('/', () => page(files))
  app.get('*', async ({ req }) => {
    const path = req.path === '/index.html' ? '' : req.path
    const file = await files.read(path)
    if (file === undefined)
      return acceptsPages(req.raw) ? page(files) : refusal(new ConsentryError('REQUEST_REFUSED', 'There is nothing here.', { data: { status: 404 } }), needs)
    const headers = {
      ...protectiveHeaders(),
      'content-type': file.type,
      ...(path.startsWith('/assets/') && { 'cache-control': 'private, max-age=31536000, immutable' }),
    }
    return new Response(file.bytes, { headers })
  })
  return app
}

/** The app for every path that is a page of it; each load with a nonce of its own. */
async function page(files: AppFiles): Promise<Response> {
  const index = await files.read('/index.html')
  if (index === undefined) {
    const text = 'The console is not built: run "npm run build". In a terminal, "consentry inbox" does the same.\n'
    return new Response(text, { status: 503, headers: { ...protectiveHeaders(), 'content-type': 'text/plain; charset=utf-8' } })
  }
  const nonce = randomText().slice(0, 32)
  const html = new TextDecoder().decode(index.bytes).replaceAll(noncePlaceholder, nonce)
  return new Response(html, { headers: { ...protectiveHeaders(nonce), 'content-type': index.type } })
}

function acceptsPages(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('text/html') && !new URL(request.url).pathname.includes('.')
}

function openStream(session: Session, after: string | undefined, { sessions, windows, first }: HttpAppNeeds): Response {
  const closeWindow = sessions.noteWindow(session)
  const stopListening = sessions.on('ended', (ended) => {
    if (ended.session === session) windows.dismiss(opened.window, { type: 'session-ended', reason: ended.reason })
  })
  const onEnd = (): void => {
    closeWindow()
    stopListening()
  }
  const opened = windows.open({ after, first, onEnd })
  return new Response(opened.stream, { headers: { ...protectiveHeaders(), 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** @throws ConsentryError `SESSION_ENDED` */
function sessionOf(request: Request, { sessions, authority }: HttpAppNeeds): Session {
  return sessions.find(cookieOf(request, authority()), request.headers.get(keyHeader) ?? undefined)
}

/** Cookies go to every port of a machine: each desk has one of its own. */
function cookieName(authority: string): string {
  return `consentry-${authority.slice(authority.indexOf(':') + 1)}`
}

function cookieOf(request: Request, authority: string): string | undefined {
  const wanted = `${cookieName(authority)}=`
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length)
}

function answer(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(value), { headers: { ...protectiveHeaders(), ...headers, 'content-type': 'application/json; charset=utf-8' } })
}

/** An error of ours is told as it is; of any other, only that there was one. Who opens a page is told in words. */
function refusal(error: unknown, { report }: Pick<HttpAppNeeds, 'report'>, isPage: boolean = false): Response {
  const known = error instanceof ConsentryError ? error : new ConsentryError('INTERNAL', 'The desk could not do this: an error of ours.', { cause: error })
  if (known.code === 'INTERNAL') report(error)
  const { code, message, data } = known
  const status = typeof data?.['status'] === 'number' ? data['status'] : (statuses[code] ?? 400)
  if (isPage) return new Response(message, { status, headers: { ...protectiveHeaders(), 'content-type': 'text/plain; charset=utf-8' } })
  const body: CallError = { error: { code, message } }
  return new Response(JSON.stringify(body), { status, headers: { ...protectiveHeaders(), 'content-type': 'application/json; charset=utf-8' } })
}
