import { ConsentryError } from '../../errors.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { CallBody } from '../call-body.ts'

type Needs = Pick<CallNeeds, 'inbox' | 'reviews' | 'media'>

/** Characters of a draft as JSON: what is beyond is still in the window, and is lost with it. */
const LONGEST_DRAFT = 4_000_000

export function keepDraft({ inbox, reviews, media }: Needs): Handler<'review/draft'> {
  return (body) => {
    const review = inbox.get(body.text('id'))
    if (review === undefined) return {}
    const window = body.text('window', 100)
    const draft = body.object('draft')
    if (JSON.stringify(draft).length > LONGEST_DRAFT) throw new ConsentryError('USAGE', 'This draft is too large to be kept.')
    switch (review.kind) {
      case 'form': {
        const open = new Set(review.subject.form.fields.filter(({ secret }) => secret === undefined).map(({ name }) => name))
        const kept = Object.fromEntries(Object.entries(draft).filter(([name]) => open.has(name)))
        reviews.asAuthor(window, () => review.draft.update(kept))
        return {}
      }
      case 'prompt':
      case 'completion': {
        const shared = review.draft as { update(value: unknown): void }
        reviews.asAuthor(window, () => shared.update(media.restore(review.id, draft)))
        return {}
      }
      case 'folders': {
        const roots = new CallBody(draft).bodies('roots').map((root) => ({
          path: root.text('path'),
          name: root.optionalText('name'),
          confirmed: root.optionalFlag('confirmed'),
          repository: root.optionalText('repository'),
        }))
        reviews.keepFolders(review.id, window, { roots })
        return {}
      }
      case 'url':
      case 'url-wait':
      case 'budget':
      case 'kept-folders':
      case 'silent-client':
        return {}
      default:
        return review satisfies never
    }
  }
}
