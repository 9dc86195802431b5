import { NativeSelect, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LimitState, ReviewDetail, ShownRequest } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { formatCost, isCost } from '../../parts/amounts.ts'
import { Folded } from '../../parts/folded.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { ServerText, visibleText } from '../../parts/server-text.tsx'
import { withMaxTokens } from './edit-request.ts'
import classes from './prompt-side.module.css'

interface PromptSideProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'prompt' }>
  readonly request: ShownRequest
  readonly model: string
  readonly onModel: (model: string) => void
  /** Absent: no model reads it. */
  readonly onEdit: ((request: ShownRequest) => void) | undefined
}

const PERSON = 'person'

/** Which model and why, how much it may say, what that may cost, and what is left of the budget. */
export function PromptSide({ review: { subject, asker }, request, model, onModel, onEdit }: PromptSideProps): ReactNode {
  const { t, i18n } = useTranslation()
  const say = usePhrase()
  const { choice, models = [], limits = [], notes = [], toolRounds } = subject
  const option = models.find((one) => one.model === model)
  const estimate = model === choice.model ? subject.estimate : option?.estimate
  const reasons = model === choice.model ? (choice.reasons ?? []).map(say) : [t('sampling.otherModel')]
  const remarks = [...(model === choice.model ? notes : []), ...(option?.notes ?? [])]
  const server = visibleText(asker.server, 60)
  const asked = subject.request.maxTokens
  return (
    <aside className={classes['side']}>
      {choice.model === PERSON && models.every(({ cannot }) => cannot) ? (
        <Text fz="sm">{t('sampling.person')}</Text>
      ) : (
        <NativeSelect
          label={t('sampling.model')}
          value={model}
          onChange={(event) => onModel(event.currentTarget.value)}
          data={modelNames(subject).map((name) => {
            const cannot = models.find((one) => one.model === name)?.cannot
            return { value: name, label: cannot ? `${visibleText(name, 80)} (${t('sampling.cannot')})` : visibleText(name, 80), disabled: cannot !== undefined }
          })}
        />
      )}
      {reasons.length > 0 && <Fact name={t(model === PERSON ? 'sampling.whyNone' : 'sampling.why')}>{reasons.join('; ')}</Fact>}
      {remarks.map((note) => (
        <p key={note.key + note.sentence} className={classes['note']}>
          {say(note)}
        </p>
      ))}
      {model !== PERSON && (
        <TextInput
          label={t('sampling.maxTokens')}
          description={asked === 0 ? t('sampling.noLimit', { server }) : t('sampling.maxTokensHelp', { server, tokens: asked })}
          inputMode="numeric"
          value={request.maxTokens === 0 ? '' : request.maxTokens}
          disabled={onEdit === undefined}
          onChange={(event) => onEdit?.(withMaxTokens(request, event.currentTarget.value, asked))}
        />
      )}
      {estimate && (
        <Fact name={t('sampling.estimate')}>
          {t('sampling.inputTokens', { count: estimate.inputTokens })}
          <br />
          {estimate.cost === undefined ? t('sampling.costUnknown') : t('sampling.costAtMost', { cost: formatCost(estimate.cost, i18n.language) })}
          {estimate.priceAsOf !== undefined && <span className={classes['aside']}> ({t('sampling.priceAsOf', { day: estimate.priceAsOf })})</span>}
        </Fact>
      )}
      {limits.length > 0 && (
        <Fact name={t('sampling.budget')}>
          {limits.map((limit) => (
            <LimitLine key={limit.scope + limit.limit} limit={limit} />
          ))}
        </Fact>
      )}
      {request.temperature !== undefined && <Fact name={t('sampling.temperature')}>{new Intl.NumberFormat(i18n.language).format(request.temperature)}</Fact>}
      {request.stopSequences && request.stopSequences.length > 0 && (
        <Fact name={t('sampling.stopSequences')}>
          <ServerText text={request.stopSequences.map((one) => JSON.stringify(one)).join(' ')} maximum={200} />
        </Fact>
      )}
      {toolRounds !== undefined && toolRounds > 0 && <p className={classes['note']}>{t('sampling.toolRounds', { count: toolRounds })}</p>}
      {request.tools && request.tools.length > 0 && (
        <Folded title={t('sampling.tools', { count: request.tools.length })}>
          <p className={classes['note']}>{t('sampling.toolsHelp', { server })}</p>
          {request.tools.map((tool) => (
            <Folded key={tool.name} title={<ServerText text={tool.name} maximum={80} />}>
              {tool.description !== undefined && <ServerText text={tool.description} lines maximum={600} />}
              <JsonBlock value={tool.inputSchema} label={visibleText(tool.name, 80)} />
            </Folded>
          ))}
        </Folded>
      )}
      {request.modelPreferences && (
        <Folded title={t('sampling.preferences')}>
          <JsonBlock value={request.modelPreferences} label={t('sampling.preferences')} />
        </Folded>
      )}
    </aside>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <h3 className={classes['name']}>{name}</h3>
      <div className={classes['fact']}>{children}</div>
    </div>
  )
}

function LimitLine({ limit: { limit, allowed, used, unpriced = 0 } }: { readonly limit: LimitState }): ReactNode {
  const { t, i18n } = useTranslation()
  const amount = (value: number): string => (isCost(limit) ? formatCost(value, i18n.language) : new Intl.NumberFormat(i18n.language).format(value))
  return (
    <p>
      {t(`budget.names.${limit}`)}: {t('sampling.limitLeft', { left: amount(Math.max(allowed - used, 0)), allowed: amount(allowed) })}
      {unpriced > 0 && <span className={classes['aside']}> ({t('budget.unpriced', { count: unpriced })})</span>}
    </p>
  )
}

function modelNames({ choice, models = [] }: PromptSideProps['review']['subject']): readonly string[] {
  const names = models.map((one) => one.model)
  return names.includes(choice.model) || choice.model === PERSON ? names : [choice.model, ...names]
}
