import type { JsoncPlace } from './jsonc-place.ts'
import { readLimits } from './read-limits.ts'
import { noSamplingConfig, type SamplingConfig, type SamplingSettings } from './sampling-settings.ts'

/** Reads `sampling`: limits of all servers together, and how model requests of each are handled. */
export function readSamplingConfig(place: JsoncPlace | undefined): SamplingConfig {
  if (place === undefined) return noSamplingConfig
  const members = place.members(['total', 'servers'])
  const total = members.get('total')
  const servers = [...(members.get('servers')?.members() ?? [])].map(([name, entry]) => [name, readSettings(entry)] as const)
  return { ...(total && { total: readLimits(total) }), servers: new Map(servers) }
}

/** Only what is there: what a server's entry does not say, the entry of every server may. */
function readSettings(place: JsoncPlace): SamplingSettings {
  const members = place.members(['limits', 'redact', 'keepText'])
  const [limits, redact, keepText] = [members.get('limits'), members.get('redact'), members.get('keepText')]
  return {
    ...(limits && { limits: withoutAbsent(readLimits(limits)) }),
    ...(redact && { redact: redact.boolean() }),
    ...(keepText && { keepText: keepText.boolean() }),
  }
}

function withoutAbsent<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}
