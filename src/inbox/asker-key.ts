import type { ServerIdentity } from '../protocol/index.ts'

/** Who asks, as one text: a name together with what stands behind it. */
export function keyOf({ name, named, target }: ServerIdentity): string {
  return JSON.stringify([name, named, target])
}
