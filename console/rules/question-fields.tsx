import { Button, Input, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../parts/quote.module.css'
import { ServerText } from '../parts/server-text.tsx'
import { takesContent, type RuleProblem, type WrittenRule } from './written-rule.ts'

interface QuestionFieldsProps {
  readonly written: WrittenRule
  readonly problem: RuleProblem | undefined
  readonly onWrite: (part: Partial<WrittenRule>) => void
}

const modes = ['form', 'url'] as const

/** Which question a rule is about: its mode, its words, its one form; and, where it may answer it, with which values. */
export function QuestionFields({ written, problem, onWrite }: QuestionFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <NativeSelect
        label={t('servers.rule.mode')}
        value={written.mode ?? ''}
        onChange={(event) => onWrite({ mode: modes.find((one) => one === event.currentTarget.value) })}
        data={[{ value: '', label: t('servers.rule.any') }, ...modes.map((value) => ({ value, label: t(`servers.promised.${value}`) }))]}
      />
      {typeof written.message === 'string' ? (
        <Textarea
          label={t('servers.rule.message')}
          description={t('servers.rule.messageHelp')}
          value={written.message}
          onChange={(event) => onWrite({ message: event.currentTarget.value })}
          autosize
          maxRows={6}
          spellCheck={false}
        />
      ) : (
        <Input.Wrapper label={t('servers.rule.exactMessage')}>
          <figure className={classes['quote']}>
            <ServerText text={written.message.exactly} lines />
          </figure>
          <Button size="compact-xs" variant="default" onClick={() => onWrite({ message: '' })}>
            {t('servers.rule.ownPattern')}
          </Button>
        </Input.Wrapper>
      )}
      {written.mode !== 'url' && (
        <TextInput
          label={t('servers.rule.schema')}
          description={t('servers.rule.schemaHelp')}
          value={written.schema}
          error={problem === 'badSchema' ? t('servers.rule.badSchema') : undefined}
          onChange={(event) => onWrite({ schema: event.currentTarget.value.trim() })}
          spellCheck={false}
        />
      )}
      {takesContent(written) && (
        <Textarea
          label={t('servers.rule.content')}
          description={t('servers.rule.contentHelp')}
          value={written.content}
          error={problem === 'noJson' ? t('servers.rule.noJson') : undefined}
          onChange={(event) => onWrite({ content: event.currentTarget.value })}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
        />
      )}
    </>
  )
}
