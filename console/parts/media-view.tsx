import { Text } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaPath, type ShownMedia } from '../../src/console-api/contract.ts'
import { formatBytes } from './amounts.ts'
import classes from './media-view.module.css'
import { visibleText } from './server-text.tsx'

/** An image or sound of a server or a model: only of kinds that the desk serves as such, in a frame that may do nothing and is never larger than the page. */
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
        <iframe sandbox="" src={source} title={name} className={classes['image']} style={roomOf(media)} loading="lazy" tabIndex={-1} />
      ) : (
        <iframe sandbox="" src={source} title={name} className={classes['sound']} loading="lazy" />
      )}
      <figcaption>{name}</figcaption>
    </figure>
  )
}

const HIGHEST = 320

/** As large as it is, but no larger than its place. */
function roomOf({ width = HIGHEST, height = HIGHEST }: ShownMedia): CSSProperties {
  return { aspectRatio: `${width} / ${height}`, width: Math.min(width, (HIGHEST * width) / height) }
}
