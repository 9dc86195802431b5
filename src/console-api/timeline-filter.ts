import { inputKinds } from '../protocol/index.ts'
import type { CallBody } from './call-body.ts'
import type { TimelineFilter } from './contract.ts'

export function readTimelineFilter(body: CallBody): TimelineFilter {
  return {
    server: body.optionalText('server'),
    connection: body.optionalText('connection'),
    request: body.optionalOneOf('request', inputKinds),
    questionsOnly: body.optionalFlag('questionsOnly'),
    search: body.optionalText('search'),
  }
}
