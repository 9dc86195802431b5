import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { IconFolderPlus, IconShieldCheck, IconInfoCircle } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FolderCandidate, GrantedFolder, ReviewDetail } from '../../../src/console-api/contract.ts'
import { usePhrase } from '../../language/use-phrase.ts'
import { FolderPicker } from '../../parts/folder-picker.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { visibleText } from '../../parts/server-text.tsx'
import { DecisionBar } from '../decision-bar.tsx'
import { ReviewBody } from '../review-body.tsx'
import { useDraft } from '../use-draft.ts'
import type { Deciding } from '../use-decision.ts'
import { WillBeSent } from '../will-be-sent.tsx'
import { FolderCard } from './folder-card.tsx'

interface FoldersReviewProps {
  readonly review: Extract<ReviewDetail, { readonly kind: 'folders' }>
  readonly deciding: Deciding
}

const DAY_MS = 86_400_000
const terms = ['run', '30', 'always'] as const

/** Which folders may this server know, and for how long? Nothing is marked beforehand. */
export function FoldersReview({ review, deciding }: FoldersReviewProps): ReactNode {
  const { t } = useTranslation()
  const say = usePhrase()
  const { candidates, enforcement } = review.subject
  const server = visibleText(review.asker.server, 60)
  const [draft, setDraft] = useDraft(review)
  const roots = draft?.roots ?? []
  const [added, setAdded] = useState<readonly FolderCandidate[]>([])
  const [term, setTerm] = useState<(typeof terms)[number]>('run')
  const [isPicking, setPicking] = useState(false)
  const shown = [...candidates, ...added.filter(({ path }) => candidates.every((other) => other.path !== path))]
  const known = [...shown, ...roots.filter(({ path }) => shown.every((other) => other.path !== path)).map(({ path }) => candidateOf(path))]
  const change = (path: string, marked: GrantedFolder | undefined): void => {
    const others = roots.filter((root) => root.path !== path)
    setDraft({ roots: marked ? [...others, marked] : others })
  }
  const remember = term === 'run' ? undefined : term === 'always' ? {} : { until: Date.now() + Number(term) * DAY_MS }
  const isUnconfirmed = known.some(({ path, level }) => level === 'confirm' && roots.some((root) => root.path === path && !root.confirmed))
  const told = roots.map((root) => known.find(({ path }) => path === root.path)?.uri ?? root.path)

  return (
    <>
      <ReviewBody>
        <div>
          <Text>{t('folders.intro', { server })}</Text>
          <Text c="dimmed" fz="sm" mt={4}>
            {enforcement === 'held' ? (
              <IconShieldCheck size={15} style={{ verticalAlign: -2 }} aria-hidden />
            ) : (
              <IconInfoCircle size={15} style={{ verticalAlign: -2 }} aria-hidden />
            )}{' '}
            {t(`folders.${enforcement}`)}
          </Text>
          {review.asker.era === 'legacy' && (
            <Text c="dimmed" fz="sm" mt={4}>
              {t('folders.goesOn', { server })}
            </Text>
          )}
        </div>
        {known.length === 0 && <Text c="dimmed">{t('folders.none')}</Text>}
        <Stack gap="xs" role="group" aria-label={t('folders.candidates')}>
          {known.map((folder) => {
            const fault = deciding.faults.find(({ field }) => field === folder.path)
            return (
              <FolderCard
                key={folder.path}
                folder={enforcement === 'told' ? { ...folder, offeredRepository: undefined } : folder}
                marked={roots.find(({ path }) => path === folder.path)}
                fault={fault && say({ key: fault.problem, sentence: fault.message, facts: fault.facts })}
                onChange={(marked) => change(folder.path, marked)}
              />
            )
          })}
        </Stack>
        <div>
          <Button variant="default" size="compact-md" leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={() => setPicking(true)}>
            {t('folders.another')}
          </Button>
        </div>
        <NativeSelect
          label={t('folders.howLong')}
          maw={300}
          value={term}
          onChange={(event) => setTerm(event.currentTarget.value as typeof term)}
          data={[
            { value: 'run', label: t('folders.once') },
            { value: '30', label: t('folders.days', { count: 30 }) },
            { value: 'always', label: t('folders.always') },
          ]}
        />
      </ReviewBody>
      <WillBeSent server={review.asker.server} title={t('folders.willBeTold', { server })} summary={JSON.stringify(told)}>
        {told.length === 0 ? (
          <Text fz="sm">{t('folders.nothingMarked', { server })}</Text>
        ) : (
          <JsonBlock value={told} label={t('folders.willBeTold', { server })} />
        )}
      </WillBeSent>
      <FolderPicker
        isOpen={isPicking}
        start={candidates[0]?.path}
        onClose={() => setPicking(false)}
        onPick={(folder) => {
          setAdded([...added.filter(({ path }) => path !== folder.path), folder])
          if (folder.level !== 'block') change(folder.path, { path: folder.path })
          setPicking(false)
        }}
      />
      <DecisionBar
        asker={review.asker}
        deciding={deciding}
        yes={{
          label: t('folders.tell'),
          isOff: roots.length === 0 || isUnconfirmed,
          onDecide: () => deciding.decide({ action: 'grant', roots, ...(remember && { remember }) }),
        }}
        no={{
          label: t('folders.denyRun'),
          help: t('folders.denyHelp', { server }),
          onDecide: () => deciding.decide({ action: 'deny' }),
          more: [{ label: t('folders.denyAlways'), onDecide: () => deciding.decide({ action: 'deny', remember: {} }) }],
        }}
      />
    </>
  )
}

/** A folder out of a draft of another window, of which nothing else is known here. */
function candidateOf(path: string): FolderCandidate {
  return { path, status: 'ok', level: 'ok', evidence: [] }
}
