import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3Warning,
} from '@ai-sdk/provider'

/** A stream as far as it has come, in the form of a whole answer. */
export interface Collected {
  readonly result: LanguageModelV3GenerateResult
  /** What was received, thinking and arguments of tools included, in tokens, about. */
  readonly received: number
}

const CHARACTERS_PER_TOKEN = 4
/** An answer that has come to so many times its limit has none that its provider keeps to; long words and blanks make up for less. */
const FAR_OVER = 4
/** Tokens, about: a short limit may be passed by a word, and thinking, which some providers count apart, by a long thought. */
const LEEWAY = { answer: 256, thinking: 65_536 }

const unknownUsage: LanguageModelV3GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * Reads an answer that comes bit by bit. One that goes far over its limit is let go, and ends there.
 *
 * @param maxTokens of the request; 0: none
 * @param onPart is told after each bit that a person could see
 * @throws what the stream ends with, and an error where it ends without having said that it is complete
 */
export async function collectStream(
  { stream }: LanguageModelV3StreamResult,
  maxTokens: number,
  onPart: (soFar: Collected) => void,
): Promise<LanguageModelV3GenerateResult> {
  const collector = new Collector()
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (collector.take(value)) onPart(collector.soFar())
      if (maxTokens > 0 && collector.isFarOver(maxTokens)) return collector.cutOff()
      // Some clients know the end of an answer from a mark in it: nothing is waited for behind it.
      if (value.type === 'finish') break
    }
  } finally {
    // What is not read any more must not go on coming.
    reader.cancel().catch(() => undefined)
  }
  return collector.whole()
}

class Collector {
  readonly #content: LanguageModelV3Content[] = []
  /** Where each text stands that is still growing. */
  readonly #texts = new Map<string, number>()
  readonly #unread: unknown[] = []
  #warnings: SharedV3Warning[] = []
  #modelId: string | undefined
  #finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined
  #answered = 0
  #thought = 0

  /** @returns true where there is more to see now */
  take(part: LanguageModelV3StreamPart): boolean {
    switch (part.type) {
      case 'stream-start':
        this.#warnings = part.warnings
        return false
      case 'response-metadata':
        this.#modelId = part.modelId ?? this.#modelId
        return false
      case 'text-start':
        this.#texts.set(part.id, this.#content.push({ type: 'text', text: '' }) - 1)
        return false
      case 'text-delta':
        this.#answered += part.delta.length
        return this.#grow(part.id, part.delta)
      case 'tool-input-delta':
        this.#answered += part.delta.length
        return false
      case 'reasoning-delta':
        this.#thought += part.delta.length
        return false
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-end':
      case 'tool-input-start':
      case 'tool-input-end':
        return false
      case 'finish':
        this.#finish = part
        return false
      case 'error':
        throw part.error
      case 'raw':
        this.#keepUnread(part.rawValue)
        return false
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'source':
        this.#content.push(part)
        return true
      default:
        return part satisfies never
    }
  }

  soFar(): Collected {
    const finishReason = { unified: 'other', raw: undefined } as const
    return { result: this.#result({ finishReason, usage: unknownUsage }), received: this.#received() }
  }

  isFarOver(maxTokens: number): boolean {
    const isOver = (characters: number, leeway: number): boolean => characters / CHARACTERS_PER_TOKEN > maxTokens * FAR_OVER + leeway
    return isOver(this.#answered, LEEWAY.answer) || isOver(this.#thought, LEEWAY.thinking)
  }

  /** As if its provider had ended it at the limit; what it took is counted here. */
  cutOff(): LanguageModelV3GenerateResult {
    const usage = { ...unknownUsage, raw: { completion_tokens: this.#received() } }
    return this.#result({ finishReason: { unified: 'length', raw: 'length' }, usage })
  }

  /** Some clients say of every stream that it has finished; one that gives no reason was cut off. */
  whole(): LanguageModelV3GenerateResult {
    if (this.#finish?.finishReason.raw === undefined) throw new Error('the answer broke off before its end')
    return this.#result(this.#finish)
  }

  #received(): number {
    return Math.ceil((this.#answered + this.#thought) / CHARACTERS_PER_TOKEN)
  }

  #grow(id: string, delta: string): boolean {
    const index = this.#texts.get(id) ?? this.#content.push({ type: 'text', text: '' }) - 1
    this.#texts.set(id, index)
    const text = this.#content[index] as { type: 'text'; text: string }
    this.#content[index] = { type: 'text', text: text.text + delta }
    return delta !== ''
  }

  /** The client passes over what it does not know in a chunk; media in it are kept for whoever refuses them. */
  #keepUnread(chunk: unknown): void {
    const choice = (chunk as { choices?: readonly { delta?: { images?: unknown; audio?: unknown } }[] } | null)?.choices?.[0]
    const { images, audio } = choice?.delta ?? {}
    if (images !== undefined || (audio !== undefined && audio !== null)) this.#unread.push({ images, audio })
  }

  #result({ finishReason, usage }: Pick<LanguageModelV3GenerateResult, 'finishReason' | 'usage'>): LanguageModelV3GenerateResult {
    return {
      content: [...this.#content],
      finishReason,
      usage,
      warnings: this.#warnings,
      response: {
        ...(this.#modelId !== undefined && { modelId: this.#modelId }),
        ...(this.#unread.length > 0 && { body: { choices: [{ message: this.#unread[0] }] } }),
      },
    }
  }
}
