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
  /** Characters that were received, thinking and arguments of tools included. */
  readonly characters: number
}

const unknownUsage: LanguageModelV3GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * Reads an answer that comes bit by bit.
 *
 * @param onPart is told after each bit that a person could see
 * @throws what the stream ends with, and an error where it ends without having said that it is complete
 */
export async function collectStream({ stream }: LanguageModelV3StreamResult, onPart: (soFar: Collected) => void): Promise<LanguageModelV3GenerateResult> {
  const collector = new Collector()
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (collector.take(value)) onPart(collector.soFar())
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
  #characters = 0

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
        this.#characters += part.delta.length
        return this.#grow(part.id, part.delta)
      case 'reasoning-delta':
      case 'tool-input-delta':
        this.#characters += part.delta.length
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
    return { result: this.#result({ finishReason, usage: unknownUsage }), characters: this.#characters }
  }

  /** Some clients say of every stream that it has finished; one that gives no reason was cut off. */
  whole(): LanguageModelV3GenerateResult {
    if (this.#finish?.finishReason.raw === undefined) throw new Error('the answer broke off before its end')
    return this.#result(this.#finish)
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
