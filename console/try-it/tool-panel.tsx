import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject, ToolRow } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { useDesk } from '../desk/use-desk.ts'
import { FormField } from '../inbox/form/form-field.tsx'
import { valueOf, withAnswer, type Answers } from '../inbox/form/answers.ts'
import { Folded } from '../parts/folded.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import lists from '../parts/list.module.css'
import { Failure } from '../parts/page.tsx'
import { Quote } from '../parts/quote.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { CallCard } from './call-card.tsx'
import { readArguments } from './read-arguments.ts'
import classes from './try-it.module.css'

/** One tool: its arguments as a form, or as JSON where a form cannot hold them, and the calls that were made. */
export function ToolPanel({ server, tool }: { readonly server: string; readonly tool: ToolRow }): ReactNode {
  const { t } = useTranslation()
  const calls = useDesk().calls.filter((one) => one.server === server && one.tool === tool.name)
  const [answers, setAnswers] = useState<Answers>(new Map())
  const [json, setJson] = useState('{}')
  const check = useAct('tools/check')
  const start = useAct('tools/call')
  const { form } = tool
  const given: JsonObject | undefined = form
    ? (Object.fromEntries(form.fields.flatMap((field) => (valueOf(field, answers) === undefined ? [] : [[field.name, valueOf(field, answers)]]))) as JsonObject)
    : readArguments(json)
  const run = (): void => given && start.mutate({ server, tool: tool.name, arguments: given })
  const checkFirst = (): void =>
    given && check.mutate({ server, tool: tool.name, arguments: given }, { onSuccess: ({ status }) => void (status === 'fits' && run()) })
  const faults = check.data?.status === 'faulty' ? check.data.faults : []
  return (
    <>
      {tool.description !== undefined && <Quote server={server} text={tool.description} />}
      {form ? (
        <Stack gap="lg">
          {form.fields.length === 0 && <p className={lists['none']}>{t('tryIt.noArguments')}</p>}
          {form.fields.map((field) => (
            <FormField
              key={field.name}
              field={field}
              server={server}
              answer={answers.get(field.name)}
              isTouched={answers.has(field.name)}
              fault={faults.find((fault) => fault.field === field.name)}
              onAnswer={(value) => setAnswers(withAnswer(answers, field.name, value))}
              onLeave={() => undefined}
            />
          ))}
        </Stack>
      ) : (
        <Textarea
          label={t('tryIt.asJson')}
          value={json}
          onChange={(event) => setJson(event.currentTarget.value)}
          error={given === undefined ? t('tryIt.badJson') : undefined}
          autosize
          minRows={4}
          maxRows={20}
          spellCheck={false}
        />
      )}
      {faults.length > 0 && !form && <JsonBlock value={faults.map(({ field, message }) => `${field}: ${message}`).join('\n')} label={t('tryIt.call')} />}
      <Failure error={check.error ?? start.error} />
      <Group gap="xs">
        <Button disabled={given === undefined} loading={check.isPending || start.isPending} onClick={checkFirst}>
          {t('tryIt.call')}
        </Button>
        {faults.length > 0 && (
          <Button variant="default" onClick={run}>
            {t('tryIt.callAnyway')}
          </Button>
        )}
      </Group>
      <Folded title={t('tryIt.schema')}>
        <JsonBlock value={tool.inputSchema} label={`${t('tryIt.schema')}: ${visibleText(tool.name, 60)}`} />
      </Folded>
      {calls.length > 0 && (
        <section className={classes['calls']} aria-label={t('tryIt.calls')}>
          {calls.toReversed().map((one) => (
            <CallCard key={one.id} call={one} />
          ))}
        </section>
      )}
    </>
  )
}
