import type { ContentBlock, Decision, Review, SamplingMessage, SamplingRequest } from '../../protocol/index.ts'
import { MOST_READ, safeText } from './safe-text.ts'
import type { Asking } from './asking.ts'
import { describeTarget, headline, words } from './words.ts'
import { writeFrom } from './write-from.ts'

const CANCEL = { action: 'cancel' } as const
const PERSON = 'person'

/** A prompt before it goes to a model: everything the model would see, and the model itself. */
export async function askPrompt({ origin, subject: { choice }, draft }: Review<'prompt'>, asking: Asking): Promise<Decision<'prompt'>> {
  const { prompts, signal, server } = asking
  const model = choice.model === PERSON ? undefined : choice.model
  prompts.say(`${headline('prompt', origin, 0)}\n${describeTarget(origin.server.target)}`)
  for (;;) {
    const request = draft.value
    showRequest(request, asking)
    prompts.say([words.modelAndWhy(safeText(choice.model), safeText(choice.why)), words.tokensAtMost(request.maxTokens)].join('\n'))
    const chosen = await prompts.choose(
      words.howToGoOn,
      [
        ...(model === undefined ? [] : [{ value: 'approve' as const, label: words.approvePrompt(safeText(model)) }]),
        { value: 'write' as const, label: words.writeAnswer },
        ...(model === undefined ? [] : [{ value: 'edit' as const, label: words.editPrompt }]),
        { value: 'deny' as const, label: words.deny, hint: words.withholdHint },
        { value: 'cancel' as const, label: words.cancel, hint: words.cancelHint },
      ],
      { initial: 'deny', signal },
    )
    switch (chosen) {
      case 'approve':
        return { action: 'approve', request }
      case 'deny':
        return { action: 'deny' }
      case 'write': {
        const text = await prompts.write(words.yourAnswer, { kind: 'lines', signal })
        if (signal.aborted) return CANCEL
        if (text === undefined) break
        return { action: 'write', completion: { content: [{ type: 'text', text }], model: PERSON, stopReason: 'endTurn' } }
      }
      case 'edit':
        draft.update(await edit(request, asking, server))
        break
      case 'cancel':
      case undefined:
        return CANCEL
      default:
        return chosen satisfies never
    }
  }
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

function showRequest({ systemPrompt, messages, tools }: SamplingRequest, { prompts, server }: Asking): void {
  const system = systemPrompt === undefined ? [] : [`[system] ${safeText(systemPrompt, { lines: true, maximum: MOST_READ })}`]
  const turns = messages.map(({ role, content }) => `[${role}] ${content.map(describeBlock).join('\n')}`)
  prompts.quote([...system, ...turns].join('\n\n'), words.serverSays(server), 'beginning')
  if (tools && tools.length > 0) prompts.say(words.toolsOffered(tools.map(({ name }) => safeText(name, { maximum: 80 })).join(', ')))
}

/** A content block in words; media by kind and size. */
export function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return safeText(block.text, { lines: true, maximum: MOST_READ })
    case 'image':
    case 'audio':
      return `(${block.type}, ${safeText(block.mimeType, { maximum: 80 })}, ${Math.ceil((block.data.length * 3) / 4 / 1024)} KB)`
    case 'tool_use':
      return `(calls ${safeText(block.name, { maximum: 80 })}: ${safeText(JSON.stringify(block.input), { maximum: MOST_READ })})`
    case 'tool_result':
      return `(result of a tool: ${safeText(JSON.stringify(block.content), { maximum: MOST_READ })})`
    default:
      return block satisfies never
  }
}
