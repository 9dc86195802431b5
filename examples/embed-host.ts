// A host of your own: many servers, every question of theirs decided at one desk. In your project the import is from 'consentry'.
import { createLocalDesk, Host } from '../src/index.ts'

const { desk, inbox } = createLocalDesk()

// Your window goes here. A person would be shown the review, fill it in and decide it; this one says what it is asked, and accepts with values of its own.
const values: Record<string, unknown> = { name: 'Ada', check: true, integer: 7 }
inbox.attach({ name: 'example', kinds: ['form'] })
inbox.on('review-opened', (review) => {
  if (review.kind !== 'form') return
  console.log(`${review.origin.server.name} asks: ${review.subject.message}`)
  const names = review.subject.form.fields.map(({ name }) => name)
  const content = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
  // What does not fit the form comes back as faults, a sentence for each field, and the review stays open.
  void inbox.decide(review.id, { action: 'accept', content }, 'example').then((made) => console.log(made))
})

const host = new Host({
  desk,
  servers: [{ name: 'everything', command: 'node', args: ['node_modules/@modelcontextprotocol/server-everything/dist/index.js'] }],
})
host.on('server-status', ({ server, status }) => console.log(`${server} is ${status.state}`))
await host.connect()
console.log((await host.listTools()).map(({ name }) => name).join(', '))
console.log(await host.callTool({ server: 'everything', name: 'trigger-elicitation-request' }))
await host.close()
await desk.close()
