import { ActionIcon, Button, Textarea, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ServerText } from '../../parts/server-text.tsx'
import classes from './editable-text.module.css'

interface EditableTextProps {
  readonly label: string
  readonly text: string
  /** As it came; another text now is marked as edited. */
  readonly original: string
  readonly isLocked?: boolean | undefined
  readonly onEdit: (text: string) => void
}

/** A text that is read with its hidden characters marked, and edited as it is; an edit is marked, and can be undone. */
export function EditableText({ label, text, original, isLocked = false, onEdit }: EditableTextProps): ReactNode {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const isEdited = text !== original
  return (
    <div className={classes['text']} data-edited={isEdited || undefined}>
      <div className={classes['line']}>
        {isEditing ? (
          <Textarea
            className={classes['field']}
            aria-label={label}
            value={text}
            onChange={(event) => onEdit(event.currentTarget.value)}
            onBlur={() => setEditing(false)}
            autosize
            minRows={2}
            maxRows={20}
            autoFocus
            spellCheck={false}
          />
        ) : (
          <div className={classes['field']}>
            <ServerText text={text} lines maximum={6000} />
          </div>
        )}
        {!isLocked && !isEditing && (
          <Tooltip label={t('common.edit')}>
            <ActionIcon variant="subtle" color="gray" onClick={() => setEditing(true)} aria-label={`${t('common.edit')}: ${label}`}>
              <IconPencil size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isEdited && (
        <div className={classes['tools']}>
          <span className={classes['edited']}>{t('sampling.edited')}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onEdit(original)}
          >
            {t('sampling.undo')}
          </Button>
        </div>
      )}
    </div>
  )
}
