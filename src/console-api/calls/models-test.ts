import { redact } from '../../audit/index.ts'
import { ConsentryError } from '../../errors.ts'
import type { CallNeeds, Handler } from '../call.ts'
import { faultOf } from '../server-board.ts'

/** Whoever is asked has been sent the key: a word as long as one is not shown, whatever it is. */
const KEY_LIKE = /[\w+/=.-]{16,}/g
const PATIENCE_MS = 60_000
const QUESTION = { messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Answer with the one word: ready' }] }], maxTokens: 16 }

export function testModel({ models, now }: Pick<CallNeeds, 'models' | 'now'>): Handler<'models/test'> {
  return async (body, { signal }) => {
    const began = now()
    try {
      const { content } = await models().complete(body.text('id'), QUESTION, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
      const text = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join(' ')
      return { ok: true, milliseconds: now() - began, text: redact(text).replaceAll(KEY_LIKE, '…').slice(0, 500) }
    } catch (error) {
      if (error instanceof ConsentryError) return { ok: false, fault: faultOf(error) }
      return { ok: false, fault: { code: 'MODEL_FAILED', message: signal.aborted ? 'The test was given up.' : 'The model did not answer.' } }
    }
  }
}
