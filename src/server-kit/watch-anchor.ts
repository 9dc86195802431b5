import { isInside, pathOf, placeBelow, type Anchor } from '../paths/index.ts'
import type { WatchedPath, WatchEvent } from './file-results.ts'
import type { CurrentRoots } from './path-holder.ts'
import { ourError } from './refusals.ts'

/** Milliseconds. Nothing tells of a folder that is removed while it is held, or of one above it that is moved. */
const LOOK_AGAIN = 1000

/** Tells what changes in a folder, or in a file, for as long as it stays where it is and is granted. Takes the anchor over. */
export async function watchAnchor(anchor: Anchor, roots: CurrentRoots, listener: (event: WatchEvent) => void): Promise<WatchedPath> {
  const path = pathOf(anchor.place)
  const stops: (() => void)[] = [() => anchor.close()]
  let isOver = false
  const close = (): void => {
    isOver = true
    for (const stop of stops.splice(0)) stop()
  }
  const end = (): void => {
    if (isOver) return
    close()
    listener({ kind: 'ended', path })
  }
  /** What was moved away, or taken back, is told no longer. */
  const look = async (changed?: string): Promise<void> => {
    const granted = await roots.list(undefined).catch(() => [])
    const stays = !isOver && isInside(anchor.place, granted) && (await anchor.isAtPlace())
    if (isOver) return
    if (!stays) end()
    else if (changed !== undefined) listener({ kind: 'changed', path: changed })
  }
  try {
    const { kind } = await anchor.facts()
    const pathOfEntry = (name: string | undefined): string => (kind === 'folder' && name !== undefined ? pathOf(placeBelow(anchor.place, name)) : path)
    stops.unshift(
      anchor.watch((name) => void look(pathOfEntry(name)), end),
      roots.onChange(() => void look()),
      every(LOOK_AGAIN, async () => {
        if (!(await anchor.isAtPlace())) end()
      }),
    )
  } catch (error) {
    close()
    throw ourError(error, path)
  }
  return { path, close }
}

function every(milliseconds: number, action: () => Promise<void>): () => void {
  const timer = setInterval(() => void action(), milliseconds).unref()
  return () => clearInterval(timer)
}
