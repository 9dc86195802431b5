// A host of your own: many servers, every question of theirs decided at one desk. In your project the import is from 'consentry'.
import { createLocalDesk, Host } from '../src/index.ts'

const { desk, inbox } = createLocalDesk()

// Your window goes here. This one says what it is asked and confirms forms without fields; a person would be shown the review and decide it.
inbox.attach({ name: 'example', kinds: ['form'] })
inbox.on('review-opened', (review) => {
  if (review.kind !== 'form') return
  console.log(`${review.origin.server.name} asks: ${review.subject.message}`)
  void inbox.decide(review.id, review.subject.form.fields.length === 0 ? { action: 'accept', content: {} } : { action: 'decline' }, 'example')
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
