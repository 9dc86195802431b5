import { hasMarkLeft, hasPutBack, putBack, type Decision, type Review, type SamplingMessage, type SamplingRequest } from '../../protocol/index.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import type { Asking } from './asking.ts'
import type { Choosable } from './prompts.ts'
import { describeEstimate, describeLimit, describeShortfalls } from './spending-words.ts'
import { showRequest } from './show-request.ts'
import { describeTarget, headline, words } from './words.ts'
import { writeFrom } from './write-from.ts'

const CANCEL = { action: 'cancel' } as const
const PERSON = 'person'
const DAYS_REMEMBERED = 30

/** A prompt before it goes to a model: everything the model would see, the model itself, and what it would take. */
export async function askPrompt(review: Review<'prompt'>, asking: Asking): Promise<Decision<'prompt'>> {
  const { origin, draft } = review
  const { prompts, signal, server } = asking
  let picked: string | undefined
  const keep = (written: string): void => draft.update({ ...draft.value, written })
  const change = (changed: SamplingRequest): void => {
    const { written } = draft.value
    draft.update({ ...changed, ...(written !== undefined && { written }) })
  }
  let isShown = false
  prompts.say(`${headline('prompt', origin, 0)}\n${describeTarget(origin.server.target)}`)
  for (;;) {
    // The user's models may have changed since it was shown.
    const { written: typed, ...request } = draft.value
    const { subject } = review
    const { choice, redaction, models = [] } = subject
    const usual = choice.model === PERSON ? undefined : choice.model
    const model = models.some((one) => one.model === picked && one.cannot === undefined) ? picked : usual
    if (!isShown) showRequest(request, asking)
    prompts.say(describeCircumstances(subject, model, request, server))
    const menu = new AbortController()
    const stopListening = asking.onChanged(() => menu.abort())
    const chosen = await prompts.choose(words.howToGoOn, choicesFor(subject, model, request, server), {
      initial: 'deny',
      signal: AbortSignal.any([signal, menu.signal]),
    })
    stopListening()
    isShown = menu.signal.aborted && chosen === undefined && !signal.aborted
    if (isShown) {
      prompts.say(words.modelsChanged)
      continue
    }
    const isTouched = draft.value !== subject.request
    const approval = { ...(isTouched && { request }), ...(model !== undefined && { model }) }
    switch (chosen) {
      case 'approve':
        return { action: 'approve', ...approval }
      case 'run':
        return { action: 'approve', ...approval, remember: { for: 'run' } }
      case 'always':
        return { action: 'approve', ...approval, remember: { for: 'always', until: Date.now() + DAYS_REMEMBERED * 86_400_000 } }
      case 'deny':
        return { action: 'deny' }
      case 'never':
        return { action: 'deny', remember: { for: 'always' } }
      case 'write': {
        if (!isAsShown(request, subject)) prompts.say(words.editsUnused(server))
        const answer = await writeAnswer(asking, { initial: typed ?? '', keep })
        if (signal.aborted) return CANCEL
        if (answer === undefined) break
        return answer
      }
      case 'edit':
        change(await edit(request, asking, server))
        break
      case 'model':
        picked = (await chooseModel(subject, asking)) ?? model
        break
      case 'back':
        if (redaction) {
          const takenOut = { taken: subject.request, original: redaction.original }
          const back = putBack(request, takenOut)
          change(back)
          if (hasMarkLeft(back, takenOut)) prompts.say(words.markLeft)
        }
        break
      case 'cancel':
      case undefined:
        return CANCEL
      default:
        return chosen satisfies never
    }
  }
}

/** Nothing was changed that a model would read. */
function isAsShown({ systemPrompt, messages }: SamplingRequest, { request, redaction }: Review<'prompt'>['subject']): boolean {
  return [request, redaction?.original].some((asked) => asked?.messages === messages && asked.systemPrompt === systemPrompt)
}

/** A person's own answer, shown as it will be sent before it is. @returns undefined where they think better of it */
async function writeAnswer(
  { prompts, signal, server }: Asking,
  { initial, keep }: { readonly initial: string; readonly keep: (text: string) => void },
): Promise<Decision<'prompt'> | undefined> {
  let text: string | undefined = initial
  for (;;) {
    text = await writeFrom(prompts, words.yourAnswer, { initial: text, kind: 'lines', signal, onLeft: keep })
    if (text === undefined) return undefined
    keep(text)
    prompts.quote(safeText(text, { lines: true, maximum: MOST_READ }), words.willBeSent(server))
    const choices = [
      { value: 'send' as const, label: words.sendTo(server) },
      { value: 'edit' as const, label: words.editAnswer },
      { value: 'back' as const, label: words.backToPrompt },
    ]
    const chosen = await prompts.choose(words.howToGoOn, choices, { initial: 'edit', signal })
    if (chosen === 'send') return { action: 'write', completion: { content: [{ type: 'text', text }], model: PERSON, stopReason: 'endTurn' } }
    if (chosen !== 'edit') return undefined
  }
}

type PromptChoice = 'approve' | 'run' | 'always' | 'write' | 'edit' | 'model' | 'back' | 'deny' | 'never' | 'cancel'

function choicesFor(
  { models = [], redaction, request: shown, failed }: Review<'prompt'>['subject'],
  model: string | undefined,
  request: SamplingRequest,
  server: string,
): readonly Choosable<PromptChoice>[] {
  const asking: readonly Choosable<PromptChoice>[] =
    model === undefined
      ? []
      : [
          { value: 'approve', label: failed ? words.tryAgain(safeText(model)) : words.approvePrompt(safeText(model)) },
          { value: 'run', label: words.approveForRun, hint: words.approveForRunHint },
          { value: 'always', label: words.approveAlways(DAYS_REMEMBERED), hint: words.approveAlwaysHint },
        ]
  return [
    ...asking,
    { value: 'write', label: words.writeAnswer },
    ...(model === undefined ? [] : [{ value: 'edit' as const, label: words.editPrompt }]),
    ...(models.filter(({ cannot }) => cannot === undefined).length > 1 ? [{ value: 'model' as const, label: words.otherModel }] : []),
    ...(redaction && !hasPutBack(request, { taken: shown, original: redaction.original }) ? [{ value: 'back' as const, label: words.putBack }] : []),
    { value: 'deny', label: words.deny, hint: words.withholdHint },
    { value: 'never', label: words.denyModelsAlways(server) },
    { value: 'cancel', label: words.cancel, hint: words.cancelHint },
  ]
}

async function chooseModel({ models = [] }: Review<'prompt'>['subject'], { prompts, signal }: Asking): Promise<string | undefined> {
  const choices = models
    .filter(({ cannot }) => cannot === undefined)
    .map(({ model, estimate }) => ({ value: model, label: safeText(model, { maximum: 120 }), hint: describeEstimate(estimate) }))
  return prompts.choose(words.otherModel, choices, { signal })
}

/** The model and why, what it would take, what limits hold, and what there is to mind. */
function describeCircumstances(subject: Review<'prompt'>['subject'], model: string | undefined, request: SamplingRequest, server: string): string {
  const { choice, models = [], limits = [], notes = [], redaction, toolRounds, because, failed } = subject
  const option = models.find((one) => one.model === model)
  const estimate = model === choice.model ? subject.estimate : option?.estimate
  const said =
    model === undefined
      ? words.noModel(safeText(choice.why))
      : model === choice.model
        ? words.modelAndWhy(safeText(choice.model), safeText(choice.why))
        : words.modelAndWhy(safeText(model), words.otherModel)
  const shortfall = estimate === undefined ? '' : describeShortfalls(limits, estimate, request.maxTokens)
  const left = model === choice.model || option === undefined ? notes : option.notes
  return [
    said,
    words.tokensAtMost(request.maxTokens),
    ...(request.temperature === undefined ? [] : [words.temperature(request.temperature)]),
    ...(request.stopSequences === undefined || request.stopSequences.length === 0
      ? []
      : [words.stopsAt(safeText(request.stopSequences.map((one) => JSON.stringify(one)).join(' '), { maximum: 200 }))]),
    ...(estimate === undefined
      ? []
      : [words.wantsEstimate(describeEstimate({ ...estimate, outputTokens: Math.min(estimate.outputTokens, request.maxTokens) }))]),
    ...(limits.length === 0 ? [] : [words.limitsAre(limits.map(describeLimit).join('; '))]),
    ...(shortfall === '' ? [] : [words.noRoom(shortfall)]),
    ...(toolRounds === undefined ? [] : [words.toolRounds(toolRounds)]),
    ...(redaction === undefined ? [] : [words.takenOut(redaction.parts.map(({ path, kinds }) => `${kinds.join(', ')} (${path})`).join('; '))]),
    ...left.map(({ sentence }) => safeText(sentence)),
    ...(because === undefined ? [] : [safeText(because.sentence)]),
    ...(failed === undefined ? [] : [words.modelFailed(safeText(failed.sentence), server)]),
  ].join('\n')
}

async function edit(request: SamplingRequest, { prompts, signal }: Asking, server: string): Promise<SamplingRequest> {
  const texts = request.messages.flatMap(({ role, content }, message) =>
    content.flatMap((block, position) =>
      block.type === 'text' ? [{ message, position, label: `${role}: ${safeText(block.text, { maximum: 60 })}`, text: block.text }] : [],
    ),
  )
  const part = await prompts.choose(
    words.editPrompt,
    [
      { value: 'system', label: words.editSystem },
      { value: 'tokens', label: words.editTokens },
      ...texts.map(({ label }, index) => ({ value: String(index), label })),
    ],
    { signal },
  )
  if (part === undefined) return request
  if (part === 'system') {
    const systemPrompt = await writeFrom(prompts, words.editSystem, { initial: request.systemPrompt, kind: 'lines', signal })
    return systemPrompt === undefined ? request : { ...request, systemPrompt: systemPrompt === '' ? undefined : systemPrompt }
  }
  if (part === 'tokens') {
    const typed = await writeFrom(prompts, words.editTokens, { initial: String(request.maxTokens), kind: 'line', signal })
    const maxTokens = Number(typed)
    // The limit may be lowered, never raised: the server asked for that many.
    return Number.isInteger(maxTokens) && maxTokens > 0 && (maxTokens < request.maxTokens || request.maxTokens === 0) ? { ...request, maxTokens } : request
  }
  const chosen = texts[Number(part)]!
  const text = await writeFrom(prompts, words.serverSays(server), { initial: chosen.text, kind: 'lines', signal })
  return text === undefined ? request : { ...request, messages: replaceText(request.messages, chosen, text) }
}

function replaceText(
  messages: readonly SamplingMessage[],
  at: { readonly message: number; readonly position: number },
  text: string,
): readonly SamplingMessage[] {
  return messages.map((message, index) =>
    index === at.message
      ? { ...message, content: message.content.map((block, position) => (position === at.position && block.type === 'text' ? { ...block, text } : block)) }
      : message,
  )
}
