import { wireCodes, type WireError } from '../mcp/wire-error.ts'

/** @param id as its asker wrote it */
export function resultLine(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`
}

/** @param id as its asker wrote it; `null` where it could not be read */
export function errorLine(id: string, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`
}

/** Where several stand between client and server: who of them says so. */
const hop = 'consentry wrap'

/** What whoever asked gets where a response cannot be passed on. */
export function brokenResponse(sender: 'client' | 'server', why: string): WireError {
  return { code: wireCodes.internal, message: `The response of the ${sender} is broken: ${why}`, data: { hop } }
}

/** What whoever sent it gets for a request that goes no further. */
export function invalidRequest(why: string): WireError {
  return { code: wireCodes.invalidRequest, message: `Invalid request: ${why}`, data: { hop } }
}

export function notificationLine(method: string, params?: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })}\n`
}
