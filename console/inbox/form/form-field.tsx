import { UnstyledButton } from '@mantine/core'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { describeConstraint, type Field, type FieldFault, type FormMessages } from '../../../src/console-api/contract.ts'
import { constraintMessages, sayFault } from '../../language/form-messages.ts'
import { ServerText, visibleText } from '../../parts/server-text.tsx'
import { FieldInput } from './field-input.tsx'
import classes from './form-field.module.css'

interface FormFieldProps {
  readonly field: Field
  readonly server: string
  /** `null`: left out on purpose; undefined and not touched: the suggestion holds. */
  readonly answer: unknown
  readonly isTouched: boolean
  readonly fault: FieldFault | undefined
  readonly onAnswer: (value: unknown) => void
  readonly onLeave: () => void
}

/** One field: its label above, what it accepts before a mistake is made, what is wrong after it was left, and what becomes of it. */
export function FormField({ field, server, answer, isTouched, fault, onAnswer, onLeave }: FormFieldProps): ReactNode {
  const { t, i18n } = useTranslation()
  const id = useId()
  const isGroup = field.kind === 'boolean' || field.kind === 'multiple-choice' || (field.kind === 'choice' && field.choices.length <= 6)
  const constraint = constraintOf(field, constraintMessages(t, i18n.language) as FormMessages)
  const value = isTouched ? answer : field.default
  const Label = isGroup ? 'div' : 'label'
  const describedBy = [`${id}-help`, `${id}-state`, ...(fault ? [`${id}-fault`] : [])].join(' ')
  return (
    <div
      className={classes['field']}
      data-faulty={fault ? true : undefined}
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
      aria-describedby={isGroup ? describedBy : undefined}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave()
      }}
    >
      <div className={classes['top']}>
        <Label id={`${id}-label`} {...(isGroup ? {} : { htmlFor: id })} className={classes['label']}>
          <ServerText text={field.label} maximum={300} /> <span className={classes['need']}>{field.required ? t('form.required') : t('form.optional')}</span>
        </Label>
      </div>
      {field.secret && (
        <p className={classes['secret']}>
          <IconShieldExclamation size={16} aria-hidden />
          <span>
            <b>{t('form.secret')}</b> {t('form.secretAdvice', { server: visibleText(server, 60) })} <i>({t(`form.secretWhy.${field.secret.sign}`)})</i>
          </span>
        </p>
      )}
      {field.unanswerable ? (
        <p className={classes['state']}>{t('form.unanswerable')}</p>
      ) : (
        <FieldInput id={id} field={field} value={value} isFaulty={fault !== undefined} describedBy={describedBy} onAnswer={onAnswer} />
      )}
      <div id={`${id}-help`} className={classes['help']}>
        {field.description !== undefined && <ServerText text={field.description} lines maximum={400} />}
        {constraint !== '' && (
          <span className={classes['constraint']}>
            <ServerText text={constraint} maximum={300} />
          </span>
        )}
      </div>
      {fault && (
        <p id={`${id}-fault`} className={classes['fault']} role="alert">
          {sayFault(fault, i18n)}
        </p>
      )}
      <FieldState id={`${id}-state`} field={field} server={server} answer={answer} isTouched={isTouched} onAnswer={onAnswer} />
    </div>
  )
}

/** Which of the three states a field is in, and the way to the others. */
function FieldState({ id, field, server, answer, isTouched, onAnswer }: Omit<FormFieldProps, 'fault' | 'onLeave'> & { readonly id: string }): ReactNode {
  const { t } = useTranslation()
  const name = visibleText(server, 60)
  const suggestion = field.default === undefined ? undefined : visibleText(labelOf(field, field.default), 80)
  const words =
    isTouched && answer === null
      ? t('form.leftOut')
      : isTouched && answer === ''
        ? t('form.emptyText')
        : !isTouched && suggestion !== undefined
          ? t('form.suggested', { server: name })
          : isTouched && suggestion !== undefined && JSON.stringify(answer) !== JSON.stringify(field.default)
            ? t('form.changed', { server: name, value: suggestion })
            : undefined
  const canLeaveOut = !field.required && !field.unanswerable && (isTouched ? answer !== null : field.default !== undefined)
  const canPutBack = isTouched && field.default !== undefined
  const canSendEmpty = field.kind === 'text' && field.required && !field.minLength && !field.format && !field.secret && isTouched && answer === null
  return (
    <p id={id} className={classes['state']}>
      {words !== undefined && <span>{words}</span>}
      {canLeaveOut && (
        <UnstyledButton className={classes['action']} onClick={() => onAnswer(null)} aria-label={`${t('form.leaveOut')}: ${visibleText(field.label, 80)}`}>
          {t('form.leaveOut')}
        </UnstyledButton>
      )}
      {canPutBack && (
        <UnstyledButton className={classes['action']} onClick={() => onAnswer(undefined)}>
          {t('form.putBack', { server: name })}
        </UnstyledButton>
      )}
      {canSendEmpty && (
        <UnstyledButton className={classes['action']} onClick={() => onAnswer('')}>
          {t('form.sendEmptyText')}
        </UnstyledButton>
      )}
    </p>
  )
}

/** The list of options is on screen already: only what stands beside it is said. */
function constraintOf(field: Field, messages: FormMessages): string {
  return describeConstraint(field, messages, { areChoicesShown: true })
}

function labelOf(field: Field, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => labelOf(field, one)).join(', ')
  if (field.kind === 'choice' || field.kind === 'multiple-choice') return field.choices.find((choice) => choice.value === value)?.label ?? String(value)
  return String(value)
}
