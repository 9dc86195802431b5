import type { WireError } from '../mcp/wire-error.ts'

/** @param id as its asker wrote it */
export function resultLine(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}\n`
}

/** @param id as its asker wrote it; `null` where it could not be read */
export function errorLine(id: string, error: WireError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`
}

export function notificationLine(method: string, params?: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })}\n`
}
