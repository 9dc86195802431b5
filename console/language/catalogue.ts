import type { en } from './en/index.ts'

/** English, as the shape that every other catalogue has; a language without a form for one thing leaves that form out. */
export type Catalogue = Translated<typeof en>

/** One area of a catalogue in another language. */
export type Translated<Area> = {
  readonly [Key in keyof Area as Key extends `${string}_one` ? never : Key]: Area[Key] extends string ? string : Translated<Area[Key]>
}
