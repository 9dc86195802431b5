import type { CallNeeds, Handler } from '../call.ts'
import { scanOtherClients } from '../import-sources.ts'

export function scanImports(needs: Pick<CallNeeds, 'place' | 'disk' | 'config' | 'edited'>): Handler<'import/scan'> {
  return async () => ({ sources: (await scanOtherClients(needs)).map(({ source }) => source) })
}
