import type { ViewableMedia } from './media-shelf.ts'
import { protectiveHeaders } from './response-headers.ts'
import { randomText } from './sessions.ts'

/**
 * A page with one picture or sound and nothing else, for a frame of the console. It has no origin and runs nothing (`sandbox`), so that what decodes the bytes of a server
 * is no part of the page that decides; browsers that give such frames a process of their own decode them there.
 */
export function mediaPage({ type, mimeType, bytes }: ViewableMedia): Response {
  const nonce = randomText().slice(0, 32)
  const source = `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`
  const body = type === 'image' ? `<img alt="" src="${source}">` : `<audio controls preload="none" src="${source}"></audio>`
  const style = 'html,body{margin:0;height:100%}img{display:block;width:100%;height:100%;object-fit:contain}audio{display:block;width:100%}'
  const html = `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${mimeType}</title><style nonce="${nonce}">${style}</style>${body}`
  const policy = `default-src 'none'; img-src data:; media-src data:; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`
  const headers = { ...protectiveHeaders(), 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' }
  return new Response(html, { headers })
}
