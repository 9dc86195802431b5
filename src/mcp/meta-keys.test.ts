import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY, RELATED_TASK_META_KEY } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { metaKeys } from './meta-keys.ts'

test('our names of the protocol are the names that the SDK uses', () => {
  expect(metaKeys).toEqual({
    protocolVersion: PROTOCOL_VERSION_META_KEY,
    clientInfo: CLIENT_INFO_META_KEY,
    clientCapabilities: CLIENT_CAPABILITIES_META_KEY,
    relatedTask: RELATED_TASK_META_KEY,
  })
})
