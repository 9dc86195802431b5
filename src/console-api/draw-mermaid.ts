import type { Lane, TimelineEvent } from './contract.ts'

const lanes: readonly Lane[] = ['you', 'desk', 'client', 'server', 'model']
const LONGEST_LABEL = 120

/** Arrows as a sequence diagram that Mermaid draws. Words from outside cannot leave their label. */
export function drawMermaid(events: readonly TimelineEvent[]): string {
  const used = lanes.filter((lane) => events.some(({ from, to }) => from === lane || to === lane))
  const participants = used.map((lane) => `  participant ${lane}`)
  const arrows = events.map((event) => `  ${event.from}${event.kind === 'asked' || event.kind === 'called' ? '->>' : '-->>'}${event.to}: ${labelOf(event)}`)
  return `${['sequenceDiagram', ...participants, ...arrows].join('\n')}\n`
}

function labelOf({ server, kind, name, request, reviewKind, outcome, error }: TimelineEvent): string {
  const text = [server, kind, request ?? reviewKind, name, outcome, error].filter((word) => word !== undefined).join(' · ')
  return text.slice(0, LONGEST_LABEL).replaceAll(/[^\p{L}\p{N}\p{M} ._/·-]/gu, (character) => `#${character.codePointAt(0)};`)
}
