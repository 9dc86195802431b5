import { UnstyledButton } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { visibleParts } from '../../src/console-api/contract.ts'
import classes from './server-text.module.css'

interface ServerTextProps {
  readonly text: string
  /** Line breaks stay line breaks. Default: they become marks. */
  readonly lines?: boolean | undefined
  /** Characters shown at first. Default: 1,200. */
  readonly maximum?: number | undefined
}

/** Words of a server: plain text without effect, its hidden and turning characters as marks, long ones cut until somebody asks for all. */
export function ServerText({ text, lines = false, maximum = 1200 }: ServerTextProps): ReactNode {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > maximum
  const shown = isLong && !isWhole ? cut(text, maximum) : text
  return (
    <bdi className={lines ? classes['lines'] : classes['text']}>
      {visibleParts(shown, { lines }).map(({ text: part, isMark }, index) =>
        isMark ? (
          <code key={index} className={classes['mark']}>
            {part}
          </code>
        ) : (
          part
        ),
      )}
      {isLong && (
        <>
          {isWhole ? ' ' : '… '}
          <UnstyledButton className={classes['more']} onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? t('common.showLess') : t('common.moreCharacters', { count: text.length - shown.length })}
          </UnstyledButton>
        </>
      )}
    </bdi>
  )
}

/** The same as a text alone: for names of buttons, titles and notifications. */
export function visibleText(text: string, maximum: number = 200): string {
  const shown = cut(text, maximum)
  const marked = visibleParts(shown)
    .map((part) => part.text)
    .join('')
  return shown.length < text.length ? `${marked}…` : marked
}

/** Never between the two halves of a surrogate pair. */
function cut(text: string, maximum: number): string {
  return text.slice(0, maximum).replace(/[\ud800-\udbff]$/u, '')
}
