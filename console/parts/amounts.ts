import type { LimitName } from '../../src/console-api/contract.ts'

/** US dollars; small amounts keep the digits that matter. */
export function formatCost(dollars: number, language: string): string {
  const digits = dollars !== 0 && Math.abs(dollars) < 0.1 ? { maximumSignificantDigits: 2 } : {}
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', ...digits }).format(dollars)
}

export function isCost(limit: LimitName): boolean {
  return limit === 'costPerDay' || limit === 'costPerRun'
}

const steps = ['byte', 'kilobyte', 'megabyte'] as const

/** "14 kB". */
export function formatBytes(bytes: number, language: string): string {
  const step = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  return new Intl.NumberFormat(language, { style: 'unit', unit: steps[step], maximumFractionDigits: step === 2 ? 1 : 0 }).format(bytes / 1000 ** step)
}
