export type { Readable } from 'node:stream'
export { PassThrough, Writable } from 'node:stream'
