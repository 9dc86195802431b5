import { IconTool } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject, ShownBlock, ShownMedia } from '../../../src/console-api/contract.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { MediaView } from '../../parts/media-view.tsx'
import { ServerText, visibleText } from '../../parts/server-text.tsx'
import classes from './block-view.module.css'

interface BlockViewProps {
  readonly block: ShownBlock
  readonly server: string
  /** Part of the conversation so far: a tool call in it was made already. */
  readonly isPast?: boolean | undefined
}

/** A content block to be read: text as text, media as media, a tool call as a card that says what will be run. */
export function BlockView({ block, server, isPast = false }: BlockViewProps): ReactNode {
  const { t } = useTranslation()
  switch (block.type) {
    case 'text':
      return <ServerText text={block.text} lines maximum={6000} />
    case 'image':
    case 'audio':
      return <MediaView media={block} />
    case 'tool_use':
      return (
        <div className={classes['tool']}>
          <p className={classes['call']}>
            <IconTool size={16} aria-hidden />{' '}
            {isPast
              ? t('sampling.toolCalled', { tool: visibleText(block.name, 80) })
              : t('sampling.toolCall', { server: visibleText(server, 60), tool: visibleText(block.name, 80) })}
          </p>
          {!isPast && <p className={classes['help']}>{t('sampling.toolCallHelp')}</p>}
          <JsonBlock value={block.input} label={visibleText(block.name, 80)} />
        </div>
      )
    case 'tool_result':
      return (
        <div className={classes['tool']}>
          <p className={classes['call']}>
            <IconTool size={16} aria-hidden /> {block.isError ? t('sampling.toolError') : t('sampling.toolResult')}
          </p>
          {block.content.map((part, index) => (
            <ResultPart key={index} part={part} />
          ))}
        </div>
      )
    default:
      return block satisfies never
  }
}

/** A part of a result: text and media as such, anything else as its JSON. */
export function ResultPart({ part }: { readonly part: ShownMedia | JsonObject }): ReactNode {
  const { t } = useTranslation()
  if (isMedia(part)) return <MediaView media={part} />
  if (part['type'] === 'text' && typeof part['text'] === 'string') return <ServerText text={part['text']} lines maximum={6000} />
  return <JsonBlock value={part} label={t('sampling.toolResult')} />
}

function isMedia(part: ShownMedia | JsonObject): part is ShownMedia {
  return (part.type === 'image' || part.type === 'audio') && typeof part['media'] === 'string'
}
