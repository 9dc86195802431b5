import { canonicalJson, sha256 } from '../store/digest.ts'
import type { Json } from '../protocol/index.ts'

const salt = crypto.randomUUID()

/** A word for exactly this value, what a window is not shown of it included, from which nothing of it can be read. It holds as long as this desk runs. */
export function markOf(value: object): string {
  return sha256(`${salt} ${canonicalJson(value as Json)}`)
}

/** Whether something is still what a window was shown; what is not there is the same as nothing in it. */
export function isAsShown(now: object | undefined, shown: object): boolean {
  return canonicalJson((now ?? {}) as Json) === canonicalJson(shown as Json)
}
