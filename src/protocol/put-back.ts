import type { SamplingTool } from './sampling.ts'
import type { TakenOutText } from './find-secrets.ts'
import { hasMarkLeft as hasMarkLeftIn, isPutBack, putBackText, takeOutText } from './taken-out-text.ts'

/** What there is to read in a request, whatever its media look like. */
interface Readable {
  readonly systemPrompt?: string | undefined
  readonly messages: readonly { readonly content: readonly { readonly type: string; readonly text?: string }[] }[]
  readonly tools?: readonly SamplingTool[] | undefined
}

/** A request that something was taken out of. */
export interface TakenOut<Request> {
  /** With marks, as a person sees it first. */
  readonly taken: Request
  readonly original: Request
}

/** Puts what was taken out back into a request; whatever a person changed in it stays changed. */
export function putBack<Request extends Readable>(edited: Request, { taken, original }: TakenOut<Request>): Request {
  return change(edited, { from: taken, to: original }, (text, from, to) => putBackText(text, { taken: from, original: to }))
}

/** Takes it out again; whatever a person changed stays changed, but where they changed a secret itself: there the text is as it was shown first. */
export function takeOut<Request extends Readable>(edited: Request, { taken, original }: TakenOut<Request>): Request {
  return change(edited, { from: original, to: taken }, (text, from, to) => takeOutText(text, { taken: to, original: from }))
}

/** True where something was put back and a mark is left: what was changed leaves open which secret it stands for. */
export function hasMarkLeft<Request extends Readable>(edited: Request, { taken, original }: TakenOut<Request>): boolean {
  let isLeft = false
  change(edited, { from: taken, to: original }, (text, from, to) => {
    isLeft ||= hasMarkLeftIn(text, { taken: from, original: to })
    return text
  })
  return isLeft
}

/** True where something that was taken out is in it again; in doubt too. */
export function hasPutBack<Request extends Readable>(edited: Request, { taken, original }: TakenOut<Request>): boolean {
  if (edited.messages === taken.messages && edited.systemPrompt === taken.systemPrompt) return false
  const isBack = (text: string | undefined, pair: { readonly [Side in keyof TakenOutText]?: string | undefined }): boolean =>
    text !== undefined && pair.taken !== undefined && pair.original !== undefined && pair.taken !== pair.original && isPutBack(text, pair as TakenOutText)
  if (isBack(edited.systemPrompt, { taken: taken.systemPrompt, original: original.systemPrompt })) return true
  return edited.messages.some(({ content }, message) =>
    content.some((block, position) => {
      const [before, after] = [taken, original].map((request) => request.messages[message]?.content[position])
      if (before === undefined || after === undefined || block === before) return false
      if (block.type === 'text') return isBack(block.text, { taken: before.text, original: after.text })
      return !isSame(before, after) && isSame(block, after)
    }),
  )
}

type ChangeText = (text: string, from: string, to: string) => string

/** Texts are changed as `changeText` does; what no person can change here comes as it is on the other side. */
function change<Request extends Readable>(edited: Request, { from, to }: { readonly from: Request; readonly to: Request }, changeText: ChangeText): Request {
  const between = (text: string | undefined, before: string | undefined, after: string | undefined): string | undefined =>
    text === undefined || before === undefined || after === undefined || before === after ? text : changeText(text, before, after)
  const messages = edited.messages.map((message, index) => ({
    ...message,
    content: message.content.map((block, position) => {
      const [before, after] = [from, to].map((request) => request.messages[index]?.content[position])
      if (before?.type !== block.type || after?.type !== block.type) return block
      return block.type === 'text' ? { ...block, text: between(block.text, before.text, after.text) } : after
    }),
  }))
  const { systemPrompt, tools } = edited
  return {
    ...edited,
    ...(systemPrompt !== undefined && { systemPrompt: between(systemPrompt, from.systemPrompt, to.systemPrompt) }),
    messages: edited.messages === from.messages ? to.messages : messages,
    ...(tools && { tools: tools.map((tool) => to.tools?.find(({ name }) => name === tool.name) ?? tool) }),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
