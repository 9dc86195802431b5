import { IconInbox } from '@tabler/icons-react'

/** The screens in the order of the navigation. */
export const screens = [{ name: 'inbox', path: '/inbox', icon: IconInbox, key: '1' }] as const

export type ScreenName = (typeof screens)[number]['name']
