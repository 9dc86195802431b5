import { detectWorkspace } from '../../roots/index.ts'
import type { CallNeeds, Handler } from '../call.ts'

export function detectRoots({ disk, place }: Pick<CallNeeds, 'disk' | 'place'>): Handler<'roots/detect'> {
  return async (body) => {
    const found = await detectWorkspace(body.optionalText('path') ?? place.cwd, { disk, home: place.home, state: place.stateFolder })
    return {
      candidates: found.map(({ path, uri, name, evidence, level, why }) => ({
        path,
        uri,
        name,
        status: uri === undefined ? 'missing' : 'ok',
        evidence,
        level,
        why,
        ...(level !== 'ok' && { warning: why }),
      })),
    }
  }
}
