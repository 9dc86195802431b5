import { readEnvelope, type Envelope, type Flaw, type RequestId } from './envelope.ts'
import type { Span } from './json-bytes.ts'
import { elementsOf } from './list-elements.ts'
import { errorLine, invalidRequest } from './request-lines.ts'
import { excerpt, writtenId } from './wire.ts'

export interface RefuseNeeds {
  readonly sender: 'client' | 'server'
  /** Says something to whoever sent the line. */
  readonly reply: (text: string) => void
  /** Whoever asked this is told that the response is broken; an id that nobody asked changes nothing. */
  readonly failResponse: (id: RequestId, why: string) => void
  readonly notice: (sentence: string) => void
}

type Unsound = Extract<Envelope, { readonly kind: 'refused' | 'batch' | 'junk' }>

/**
 * What happens to a line that goes no further: a request is answered, the asker of a broken response is told, as far as their ids are beyond doubt.
 * Everything else is only noted.
 */
export function refuseLine(bytes: Buffer, line: Span, envelope: Unsound, needs: RefuseNeeds): void {
  const { sender, notice } = needs
  switch (envelope.kind) {
    case 'junk':
      // What a client writes may hold what somebody typed; a server's stray line is for people to see.
      notice(`the ${sender} wrote a line that is no message (${envelope.why})${sender === 'server' ? `: ${excerpt(bytes, line)}` : ''}`)
      return
    case 'batch':
      notice(`the ${sender} sent a batch, which is refused`)
      for (const element of elementsOf(bytes, line)) refuseElement(bytes, element, envelope.flaw, needs)
      return
    case 'refused':
      if (envelope.of === 'request' && envelope.id !== undefined) refuseRequest(bytes, envelope.id, envelope.why, needs)
      else if (envelope.of === 'response' && envelope.id) needs.failResponse(envelope.id.value, envelope.why)
      notice(`the ${sender} sent a ${envelope.of === 'unknown' ? 'message' : envelope.of} that is refused: ${envelope.why}`)
      return
    default:
      envelope satisfies never
  }
}

/** A request that was read, and still must not go on. */
export function refuseRequest(bytes: Buffer, id: { readonly span: Span } | null, why: string, { reply }: Pick<RefuseNeeds, 'reply'>): void {
  reply(errorLine(id === null ? 'null' : writtenId(bytes, id), invalidRequest(why)))
}

function refuseElement(bytes: Buffer, element: Span, flaw: Flaw | undefined, needs: RefuseNeeds): void {
  const envelope = readEnvelope(bytes, element, flaw)
  const why = 'it came in a batch'
  const of = envelope.kind === 'refused' ? envelope.of : envelope.kind
  const id = 'id' in envelope ? envelope.id : undefined
  if (of === 'request' && id) refuseRequest(bytes, id, why, needs)
  else if (of === 'response' && id) needs.failResponse(id.value, why)
}
