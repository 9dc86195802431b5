/**
 * The names that the protocol itself puts into `_meta`. Written out here, so that whoever only reads messages need not load an SDK.
 * @see MCP 2026-07-28 basic "`_meta`", 2025-11-25 basic/utilities/tasks "Related Task Metadata"
 */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const
