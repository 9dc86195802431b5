import { createHash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; --ink: #16324f; --paper: #fff; --sky: #dcefff; --sea: #0b6e99; --soft: #5b7690 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6f1fb; --paper: #14212e; --sky: #0a131c; --sea: #4fb3dd; --soft: #9db4c9 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--sky); color: var(--ink);
  font: 1.05rem/1.6 system-ui, sans-serif }
main { max-width: 30rem; padding: 2.5rem; background: var(--paper); border-radius: 1.25rem; box-shadow: 0 1rem 3rem rgb(0 40 80 / 12%) }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.25 }
p { margin: 0 0 1.25rem }
small { display: block; margin-top: 1.25rem; color: var(--soft) }
button { width: 100%; padding: .9rem; border: 0; border-radius: .75rem; background: var(--sea); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px }
`

/** Nothing but this one style and this one form: no script, no picture, no frame, no memory. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  // "no-referrer" would make browsers hide where the button was pressed, which is checked.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  connection: 'close',
}

/** The page with the button. */
export function renderQuestion(airline: string, token: string): string {
  return render(
    `Connect ${airline}`,
    `<p>The travel server asks to use your ${escape(airline)} account for seats and miles.</p>
     <form method="post"><input type="hidden" name="token" value="${escape(token)}"><button autofocus>Connect</button></form>
     <small>This is a demo on your own computer: there is no such airline, and nothing is stored.
     If you did not expect this page, just close it.</small>`,
  )
}

/** What stands there after the button was pressed. */
export function renderConnected(airline: string): string {
  return render(`${airline} is connected`, '<p>You can close this page and go back to where you came from.</p>')
}

/** A page for whoever came by another way. */
export function renderNotice(text: string): string {
  return render(text, '')
}

function render(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${style}</style></head>
<body><main><h1>${escape(title)}</h1>${body}</main></body>
</html>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
