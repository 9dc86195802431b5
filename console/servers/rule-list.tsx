import { ActionIcon, Button } from '@mantine/core'
import { IconArrowUp, IconPlus } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ServerDetail } from '../../src/console-api/contract.ts'
import { useAct } from '../desk/use-call.ts'
import { sayDay } from '../parts/calendar-days.ts'
import { ChangeOutcome } from '../parts/change-outcome.tsx'
import { Folded } from '../parts/folded.tsx'
import { JsonBlock } from '../parts/json-block.tsx'
import classes from '../parts/list.module.css'
import { Failure, Section } from '../parts/page.tsx'
import { visibleText } from '../parts/server-text.tsx'
import { RuleDialog } from '../rules/rule-dialog.tsx'
import type { EditedRule } from '../rules/rule-form.tsx'
import { ruleOfRow } from '../rules/written-rule.ts'

/** The standing instructions that can match this server, in the order in which they win. */
export function RuleList({ server }: { readonly server: ServerDetail }): ReactNode {
  const { t, i18n } = useTranslation()
  const [edited, setEdited] = useState<EditedRule>()
  const id = useId()
  const remove = useAct('rules/remove', ['servers/get', 'rules/list'])
  const raise = useAct('rules/raise', ['servers/get', 'rules/list'])
  return (
    <Section
      title={t('servers.mayAsk')}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setEdited({ rule: { server: server.name, decision: 'ask' } })}
        >
          {t('servers.rule.add')}
        </Button>
      }
    >
      {server.rules.length === 0 && <p className={classes['none']}>{t('servers.noRules')}</p>}
      <ul className={classes['list']}>
        {server.rules.map((rule) => (
          <li key={rule.index} className={classes['row']}>
            <span className={classes['main']}>
              <span id={`${id}-${rule.index}`}>
                {rule.request === undefined ? t('servers.rule.any') : t(`audit.requests.${rule.request}`)}
                {rule.mode && ` · ${t(`servers.promised.${rule.mode}`)}`}
                {rule.message !== undefined && ` · “${visibleText(typeof rule.message === 'string' ? rule.message : rule.message.exactly, 120)}”`} →{' '}
                <b>{rule.content ? t('servers.rule.answers') : t(`servers.ruleDecisions.${rule.decision}`)}</b>
              </span>
              <Folded title={t('audit.details')}>
                <JsonBlock value={ruleOfRow(rule)} label={t('audit.details')} />
              </Folded>
            </span>
            {(rule.server === undefined || rule.server === '*') && <span className={classes['side']}>{t('servers.rule.everyServer')}</span>}
            <span className={classes['side']}>
              {rule.expired
                ? t('servers.rule.expired')
                : rule.until === undefined
                  ? t('servers.forever')
                  : t('roots.until', { day: sayDay(rule.until, i18n.language, { dateStyle: 'medium' }) })}
            </span>
            <span className={classes['actions']}>
              {rule.index > 0 && (
                <ActionIcon
                  size="sm"
                  variant="default"
                  aria-label={t('servers.rule.raise')}
                  aria-describedby={`${id}-${rule.index}`}
                  title={t('servers.rule.raise')}
                  onClick={() => raise.mutate({ index: rule.index, before: ruleOfRow(rule) })}
                >
                  <IconArrowUp size={14} aria-hidden />
                </ActionIcon>
              )}
              <Button
                size="compact-xs"
                variant="default"
                aria-describedby={`${id}-${rule.index}`}
                onClick={() => setEdited({ index: rule.index, rule: ruleOfRow(rule) })}
              >
                {t('common.edit')}
              </Button>
              <Button
                size="compact-xs"
                variant="default"
                aria-describedby={`${id}-${rule.index}`}
                onClick={() => remove.mutate({ index: rule.index, before: ruleOfRow(rule) })}
              >
                {t('roots.remove')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <ChangeOutcome change={raise.data} />
      <ChangeOutcome change={remove.data} />
      <Failure error={raise.error ?? remove.error} />
      <RuleDialog edited={edited} rules={server.rules} server={server.name} onClose={() => setEdited(undefined)} />
    </Section>
  )
}
