export type { GatewayOptions } from './gateway.ts'
export { Gateway } from './gateway.ts'
export type { ServerCommand, ServerEnd } from './server-process.ts'
export type { Feature, Owner, Owners, Wishes } from './share-features.ts'
