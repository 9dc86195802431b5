import { IconChartBar, IconFolders, IconHistory, IconInbox, IconPlayerPlay, IconServer, IconSettings, IconTimeline } from '@tabler/icons-react'

/** The screens in the order of the navigation. */
export const screens = [
  { name: 'inbox', path: '/inbox', icon: IconInbox, key: '1' },
  { name: 'servers', path: '/servers', icon: IconServer, key: '2' },
  { name: 'roots', path: '/roots', icon: IconFolders, key: '3' },
  { name: 'tryIt', path: '/try-it', icon: IconPlayerPlay, key: '4' },
  { name: 'timeline', path: '/timeline', icon: IconTimeline, key: '5' },
  { name: 'usage', path: '/usage', icon: IconChartBar, key: '6' },
  { name: 'audit', path: '/audit', icon: IconHistory, key: '7' },
  { name: 'settings', path: '/settings', icon: IconSettings, key: '8' },
] as const
