import { NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { readTyped, type Field, type TextFormat } from '../../../src/console-api/contract.ts'
import { DayPicker } from '../../parts/day-picker.tsx'
import { visibleText } from '../../parts/server-text.tsx'
import { ChoiceList, ChoiceRow } from './choices.tsx'
import { withOffset } from './with-offset.ts'

interface FieldInputProps {
  readonly id: string
  readonly field: Field
  /** What stands in it; null and undefined: nothing. */
  readonly value: unknown
  readonly isFaulty: boolean
  readonly describedBy: string
  readonly onAnswer: (value: unknown) => void
}

const FEW = 6

/** The input for one kind of field. Nothing is picked that nobody has picked. */
export function FieldInput(props: FieldInputProps): ReactNode {
  const { t } = useTranslation()
  const { id, field, value, isFaulty, describedBy, onAnswer } = props
  switch (field.kind) {
    case 'boolean':
      return (
        <ChoiceRow
          name={id}
          choices={[
            { value: true, label: t('common.yes') },
            { value: false, label: t('common.no') },
          ]}
          value={value}
          onPick={onAnswer}
        />
      )
    case 'choice':
      return field.choices.length <= FEW ? (
        <ChoiceRow name={id} choices={field.choices} value={value} onPick={onAnswer} />
      ) : (
        <NativeSelect
          id={id}
          aria-describedby={describedBy}
          error={isFaulty}
          value={String(field.choices.findIndex((choice) => choice.value === value))}
          onChange={(event) => onAnswer(field.choices[Number(event.currentTarget.value)]?.value ?? null)}
          data={[
            { value: '-1', label: t('form.chooseOne') },
            ...field.choices.map(({ label }, index) => ({ value: String(index), label: visibleText(label, 2000) })),
          ]}
        />
      )
    case 'multiple-choice':
      return <ChoiceList name={id} choices={field.choices} value={value} onPick={onAnswer} />
    case 'text':
    case 'number':
    case 'integer':
    case 'text-list':
      return <TypedInput {...props} />
    default:
      return field satisfies never
  }
}

/** What is typed stays as it was typed; what it means is read from it, and never written back over it. */
function TypedInput({ id, field, value, isFaulty, describedBy, onAnswer }: FieldInputProps): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => asTyped(value))
  // Another window, or a button, has changed it.
  const shown = JSON.stringify(readTyped(field, typed)) === JSON.stringify(value ?? null) || (typed === '' && value === '') ? typed : asTyped(value)
  const change = (text: string): void => {
    setTyped(text)
    onAnswer(readTyped(field, text))
  }
  const common = {
    id,
    value: shown,
    error: isFaulty,
    'aria-describedby': describedBy,
    'aria-required': field.required,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => change(event.currentTarget.value),
  }
  if (field.kind === 'text-list' && !field.secret) return <Textarea {...common} autosize minRows={2} maxRows={10} placeholder={t('form.oneALine')} />
  if (field.secret) return <PasswordInput {...common} autoComplete="new-password" visibilityToggleButtonProps={{ 'aria-label': t('form.show') }} />
  const format = field.kind === 'text' ? field.format : undefined
  if (field.kind === 'text' && format === undefined && (field.maxLength === undefined || field.maxLength > 200))
    return <Textarea {...common} autosize minRows={1} maxRows={12} />
  return (
    <TextInput
      {...common}
      inputMode={inputMode(field.kind, format)}
      rightSection={
        format === 'date' || format === 'date-time' ? (
          <DayPicker value={shown} hasTime={format === 'date-time'} onPick={(text) => change(format === 'date' ? text : withOffset(text))} />
        ) : undefined
      }
    />
  )
}

function asTyped(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function inputMode(kind: Field['kind'], format: TextFormat | undefined): 'text' | 'email' | 'url' | 'numeric' | 'decimal' {
  if (kind === 'integer') return 'numeric'
  if (kind === 'number') return 'decimal'
  return format === 'email' ? 'email' : format === 'uri' ? 'url' : 'text'
}
