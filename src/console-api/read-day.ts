import { ConsentryError } from '../errors.ts'

/** The first or the last moment of a local day that is written as `YYYY-MM-DD`, in milliseconds since the epoch. @throws ConsentryError `USAGE` */
export function readDay(text: string, end: 'first' | 'last'): number {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (parts === null) throw new ConsentryError('USAGE', 'A day is written as YYYY-MM-DD.')
  const [year, month, day] = [Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])]
  return end === 'first' ? new Date(year, month, day).getTime() : new Date(year, month, day + 1).getTime() - 1
}

/** The local day of a moment, as `YYYY-MM-DD`. */
export function dayOf(moment: number): string {
  const date = new Date(moment)
  return [date.getFullYear(), String(date.getMonth() + 1).padStart(2, '0'), String(date.getDate()).padStart(2, '0')].join('-')
}
