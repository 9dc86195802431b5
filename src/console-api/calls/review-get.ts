import type { Review } from '../../protocol/index.ts'
import { recognize } from '../../policy/index.ts'
import { detectWorkspace, validateRoot } from '../../roots/index.ts'
import type { CallNeeds, Handler } from '../call.ts'
import type { Enforcement, FolderCandidate, ReviewDetail } from '../contract.ts'
import { summarize } from '../describe-review.ts'
import { enforcementOf } from '../server-entry.ts'

type Needs = Pick<CallNeeds, 'inbox' | 'reviews' | 'media' | 'disk' | 'place' | 'config'>

export function getReview(needs: Needs): Handler<'review/get'> {
  return async (body) => {
    const id = body.text('id')
    const review = needs.inbox.get(id)
    if (review === undefined) return needs.reviews.endOf(id)
    const subject = await shownSubject(review, needs)
    if (needs.inbox.get(id) === undefined) {
      needs.media.forget(id)
      return needs.reviews.endOf(id)
    }
    const draft = needs.reviews.draftOf(review)
    return { status: 'found', review: { ...summarize(review), subject, draft, asked: review.asked, rescuedAt: review.rescuedAt } as ReviewDetail }
  }
}

async function shownSubject(review: Review, needs: Needs): Promise<unknown> {
  switch (review.kind) {
    case 'folders':
      return {
        candidates: await Promise.all(review.subject.proposed.map((folder) => weigh(folder, needs))),
        enforcement: enforcementFor(review, needs),
      }
    case 'prompt':
    case 'completion':
      return needs.media.hide(review.id, review.subject)
    case 'form':
    case 'url':
    case 'url-wait':
    case 'budget':
    case 'kept-folders':
    case 'silent-client':
      return review.subject
    default:
      return review satisfies never
  }
}

/** What a person should know of a proposed folder: what makes it a project, and how careful to be. */
async function weigh(folder: Review<'folders'>['subject']['proposed'][number], { disk, place }: Needs): Promise<FolderCandidate> {
  const options = { disk, home: place.home, state: place.stateFolder }
  const [validation, candidates] = await Promise.all([validateRoot(folder, options), detectWorkspace(folder.path, options)])
  const evidence = candidates.find(({ path }) => path === folder.path)?.evidence ?? []
  return { ...folder, evidence, level: validation.ok ? validation.level : 'block' }
}

/** What the config says of a server holds for exactly that server. */
function enforcementFor({ origin }: Review, { config }: Needs): Enforcement {
  const { mcpServers } = config.current
  return enforcementOf(recognize(origin.server, mcpServers) === 'same' ? mcpServers.get(origin.server.name) : undefined, origin)
}
