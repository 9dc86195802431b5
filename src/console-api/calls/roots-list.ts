import type { CallNeeds, Handler } from '../call.ts'
import { listRootRows } from '../root-rows.ts'

export function listRoots(needs: Pick<CallNeeds, 'config' | 'grants' | 'folders' | 'timeline' | 'disk' | 'place'>): Handler<'roots/list'> {
  return async () => ({ roots: await listRootRows(needs) })
}
