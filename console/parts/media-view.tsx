import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaPath, type ShownMedia } from '../../src/console-api/contract.ts'
import { formatBytes } from './amounts.ts'
import classes from './media-view.module.css'
import { visibleText } from './server-text.tsx'

/** An image or sound of a server or a model: only of kinds that the desk serves as such, and never larger than the page. */
export function MediaView({ media }: { readonly media: ShownMedia }): ReactNode {
  const { t, i18n } = useTranslation()
  const facts = { kind: t(`sampling.${media.type}`), type: visibleText(media.mimeType, 60), size: formatBytes(media.bytes, i18n.language) }
  if (!media.viewable) {
    return (
      <Text fz="sm" c="dimmed">
        {t('sampling.mediaHidden', facts)}
      </Text>
    )
  }
  const name = t('sampling.mediaName', facts)
  const source = mediaPath + media.media
  return (
    <figure className={classes['media']}>
      {media.type === 'image' ? (
        <img src={source} alt={name} className={classes['image']} loading="lazy" />
      ) : (
        <audio src={source} controls preload="none" aria-label={name} />
      )}
      <figcaption>{name}</figcaption>
    </figure>
  )
}
