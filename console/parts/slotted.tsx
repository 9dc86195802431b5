import { Fragment, type ReactNode } from 'react'

/** Stands in a sentence of the catalogue for something that is more than text; never part of what comes from outside. */
export function slot(name: string): string {
  return `\ue000${name}\ue001`
}

/** A sentence of the catalogue with its slots filled: every language puts them where it needs them. */
export function Slotted({ text, slots }: { readonly text: string; readonly slots: Readonly<Record<string, ReactNode>> }): ReactNode {
  return text.split(/\ue000([^\ue001]*)\ue001/u).map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : slots[part]}</Fragment>)
}
