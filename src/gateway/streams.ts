export type { Readable, Writable } from 'node:stream'
