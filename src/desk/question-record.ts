import type { AuditEntry, AuditSink } from '../audit/index.ts'
import type { Decision, InputRequest, InputResponse, JsonObject, Origin, ReviewKind, ReviewRequest, ReviewSubjects, Settlement } from '../protocol/index.ts'
import { visitDone, wordOfEnd } from '../protocol/visit-done.ts'
import { factsOfFolders, factsOfKeptFolders } from './folder-facts.ts'

/** What the audit log is told of one question: asked, shown, decided, answered or withdrawn. Names and choices, never values. */
export class QuestionRecord {
  readonly #audit: AuditSink
  readonly #about: Pick<AuditEntry, 'question' | 'request' | 'mode' | 'server' | 'connection' | 'call'>

  constructor(audit: AuditSink, question: string, { kind, params }: Pick<InputRequest, 'kind' | 'params'>, { server, connection, call }: Origin) {
    this.#audit = audit
    this.#about = {
      question,
      request: kind,
      mode: kind === 'elicitation' ? modeOf(params) : undefined,
      server: server.name,
      connection,
      call: call?.kind === 'one-of' ? `one of ${call.count}` : call?.name,
    }
  }

  asked(): Promise<void> {
    return this.#append({ event: 'asked' })
  }

  reviewOpened(kind: ReviewKind): Promise<void> {
    return this.#append({ event: 'review-opened', facts: { review: kind } })
  }

  /** A request whose decision is taken only while it can be written down: where it cannot, whoever decides hears why, and the question stays with what they typed. Closing it needs no log. */
  decidedOnRecord<Kind extends ReviewKind>(request: ReviewRequest<Kind>): ReviewRequest<Kind> {
    const check: ReviewRequest<Kind>['check'] = async (decision) => {
      if (decision.action !== 'cancel') await this.#audit.tryWriting?.()
      return (await request.check?.(decision)) ?? []
    }
    return { ...request, check }
  }

  reviewClosed({ kind, subject }: Pick<ReviewRequest<ReviewKind>, 'kind' | 'subject'>, settlement: Settlement<ReviewKind>): Promise<void> {
    const review = { review: kind }
    if (settlement.outcome !== 'decided') {
      const failure = settlement.outcome === 'withdrawn' ? settlement.failure?.sentence : undefined
      const outcome = wordOfEnd(settlement)
      const by = outcome === 'completed' ? undefined : 'none'
      return this.#append({ event: 'decided', by, outcome, facts: { ...review, ...(failure !== undefined && { failure }) } })
    }
    const { decision, by, surface } = settlement
    return this.#append({ event: 'decided', by, outcome: decision.action, surface, facts: { ...review, ...factsOf(kind, subject, decision) } })
  }

  async ended(response: InputResponse): Promise<void> {
    switch (response.outcome) {
      case 'withdrawn':
        if (response.reason === visitDone) return this.#append({ event: 'answered', by: 'none', outcome: 'completed' })
        return this.#append({ event: 'withdrawn', facts: { reason: response.reason } })
      case 'refused':
        return this.#append({ event: 'answered', ...endedBy(response), outcome: 'refused', error: response.error.code })
      case 'answered':
        return this.#append({
          event: 'answered',
          ...endedBy(response),
          outcome: typeof response.result['action'] === 'string' ? response.result['action'] : 'answered',
        })
      default:
        return response satisfies never
    }
  }

  #append(entry: Omit<AuditEntry, 'question' | 'request' | 'mode' | 'server' | 'connection' | 'call'>): Promise<void> {
    return this.#audit.append({ ...this.#about, ...entry })
  }
}

function endedBy({ by, unanswered, facts }: Exclude<InputResponse, { outcome: 'withdrawn' }>): Pick<AuditEntry, 'by' | 'unanswered' | 'facts'> {
  return { by, unanswered, facts }
}

function factsOf(kind: ReviewKind, subject: ReviewSubjects[ReviewKind], decision: Decision): JsonObject {
  if (kind === 'folders') return factsOfFolders(subject as ReviewSubjects['folders'], decision as Decision<'folders'>)
  if (kind === 'kept-folders') return factsOfKeptFolders(subject as ReviewSubjects['kept-folders'], decision as Decision<'kept-folders'>)
  if (kind === 'silent-client' && 'always' in decision) return { always: decision.always === true }
  return {}
}

function modeOf(params: unknown): 'form' | 'url' | undefined {
  const mode = (params as { mode?: unknown } | null | undefined)?.mode
  return mode === 'url' ? 'url' : mode === undefined || mode === 'form' ? 'form' : undefined
}
