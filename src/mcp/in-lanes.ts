/** Works on every item, so many at once, each as soon as a lane is free. Rejects when one does, after the others in work are done. */
export async function inLanes<Item>(items: readonly Item[], lanes: number, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, lane))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
