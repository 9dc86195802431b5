import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownRequest } from '../../../src/console-api/contract.ts'
import { BlockView } from './block-view.tsx'
import classes from './conversation.module.css'
import { EditableText } from './editable-text.tsx'
import { withSystem, withText } from './edit-request.ts'

interface ConversationProps {
  readonly request: ShownRequest
  /** As the server asked it; absent: nothing is edited here. */
  readonly original?: ShownRequest | undefined
  readonly server: string
  readonly onEdit?: ((request: ShownRequest) => void) | undefined
}

/** What a model reads, in its order: the instructions, then each message with all that is in it. */
export function Conversation({ request, original = request, server, onEdit }: ConversationProps): ReactNode {
  const { t } = useTranslation()
  const isLocked = onEdit === undefined
  return (
    <section className={classes['conversation']} aria-label={t('sampling.conversation')}>
      <div className={classes['message']} data-role="system">
        <h3 className={classes['role']}>{t('sampling.system')}</h3>
        {request.systemPrompt === undefined && original.systemPrompt === undefined && isLocked ? (
          <Text c="dimmed" fz="sm">
            {t('sampling.noSystem')}
          </Text>
        ) : (
          <EditableText
            label={t('sampling.system')}
            text={request.systemPrompt ?? ''}
            original={original.systemPrompt ?? ''}
            isLocked={isLocked}
            onEdit={(text) => onEdit?.(withSystem(request, text))}
          />
        )}
      </div>
      {request.messages.map(({ role, content }, message) => (
        <div key={message} className={classes['message']} data-role={role}>
          <h3 className={classes['role']}>{t(`sampling.roles.${role}`)}</h3>
          {content.map((block, position) => {
            const before = original.messages[message]?.content[position]
            return block.type === 'text' ? (
              <EditableText
                key={position}
                label={t('sampling.message', { position: message + 1, role: t(`sampling.roles.${role}`) })}
                text={block.text}
                original={before?.type === 'text' ? before.text : block.text}
                isLocked={isLocked}
                onEdit={(text) => onEdit?.(withText(request, message, position, text))}
              />
            ) : (
              <BlockView key={position} block={block} server={server} isPast />
            )
          })}
        </div>
      ))}
    </section>
  )
}
