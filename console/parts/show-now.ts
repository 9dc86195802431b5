/** As a `ref`: brings what has just appeared into sight, where it lies beyond the edge of what scrolls. */
export function showNow(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
