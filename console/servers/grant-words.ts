import type { TFunction } from 'i18next'
import type { GrantRow } from '../../src/console-api/contract.ts'
import { visibleText } from '../parts/server-text.tsx'

/** What a person had remembered, in a sentence; undefined where it is nothing that is known here. */
export function grantWords({ about }: GrantRow, t: TFunction): string | undefined {
  if (about === undefined) return undefined
  switch (about.what) {
    case 'folder':
      return t('servers.remembered.folder', { path: visibleText(about.path, 300) })
    case 'answered-here':
      return t('servers.remembered.answered-here', { client: visibleText(about.client, 60) })
    case 'models-allowed':
      return t(about.shown === undefined ? 'servers.remembered.models-allowed' : `servers.remembered.models-allowed-but-${about.shown}`)
    case 'no-folders':
    case 'kept-restart':
    case 'kept-leave':
    case 'models-denied':
      return t(`servers.remembered.${about.what}`)
    default:
      return about satisfies never
  }
}
