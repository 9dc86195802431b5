import type { ClosedReview } from '../inbox/index.ts'
import type { Origin, Review, ServerTarget } from '../protocol/index.ts'
import type { Asker, ReviewEnd, ReviewSummary } from './contract.ts'

const LONGEST_TARGET = 400

/** What is started, or which address is spoken to, as one line. */
export function describeTarget(target: ServerTarget): string {
  const text = target.kind === 'stdio' ? [target.command, ...target.args].join(' ') : target.kind === 'http' ? target.url : target.description
  return text.length > LONGEST_TARGET ? `${text.slice(0, LONGEST_TARGET)}…` : text
}

export function describeAsker({ server, client, call, era, revision }: Origin): Asker {
  return { server: server.name, named: server.named, target: describeTarget(server.target), client, call, era, revision }
}

/** A review as the list shows it. */
export function summarize(review: Review): ReviewSummary {
  const { id, kind, origin, openedAt, deadline } = review
  return { id, kind, asker: describeAsker(origin), about: aboutOf(review), openedAt, deadline }
}

function aboutOf(review: Review): ReviewSummary['about'] {
  switch (review.kind) {
    case 'form':
      return { fields: review.subject.form.fields.length }
    case 'url':
      return { host: review.subject.card.host }
    case 'url-wait':
      return { host: review.subject.cards[0]?.host }
    case 'prompt':
    case 'budget':
      return { model: review.subject.choice.model }
    case 'completion':
      return { model: review.subject.choice?.model ?? review.subject.completion.model }
    case 'folders':
      return { folders: review.subject.proposed.length }
    case 'kept-folders':
      return { folders: review.subject.known.length }
    case 'silent-client':
      return {}
    default:
      return review satisfies never
  }
}

/** How a review ended; what was decided, never what was typed. */
export function describeEnd({ settlement }: ClosedReview, at: number): ReviewEnd {
  const { outcome } = settlement
  if (outcome === 'decided') return { outcome, action: settlement.decision.action, by: settlement.by, surface: settlement.surface, at }
  if (outcome !== 'withdrawn') return { outcome, at }
  const { reason, failure } = settlement
  return { outcome, ...(failure ? { failure } : { reason: reason.slice(0, 500) }), at }
}
