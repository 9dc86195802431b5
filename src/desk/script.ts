import { readTyped } from '../elicitation/read-typed.ts'
import { matchesPattern, type TextPattern } from '../policy/index.ts'
import type {
  Completion,
  Decision,
  Field,
  FieldFault,
  Form,
  InputKind,
  JsonObject,
  Origin,
  Reviewer,
  ReviewKind,
  ReviewRequest,
  ReviewSubjects,
  Settlement,
} from '../protocol/index.ts'
import { lastUserText } from '../sampling/last-user-text.ts'
import { readAnswers, type AnswerEntry } from './answers-file.ts'
import type { EntryAnswer, ScriptEntry } from './script-entry.ts'

export interface ScriptOptions {
  readonly entries: readonly AnswerEntry[]
  /** Makes a path of the file absolute. */
  readonly resolvePath: (path: string) => string
  /** The environment, for `"${NAME}"` in fields that are marked as secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A sentence about a question that no entry matches, for whoever wrote the file. */
  readonly notice?: ((sentence: string) => void) | undefined
}

/** An answers file in place of a person: the first entry that matches and is not used up decides. */
export class Script implements Reviewer {
  readonly #options: ScriptOptions
  readonly #entries: readonly ScriptEntry[]
  readonly #used = new Map<ScriptEntry, number>()

  /** @throws ConsentryError `ANSWERS_FILE_INVALID` */
  constructor(options: ScriptOptions) {
    this.#options = options
    this.#entries = readAnswers(options.entries)
  }

  /** A script may answer anything that a server asks; what it does not know ends as nobody's. */
  canReview(kind: ReviewKind): boolean {
    return kind !== 'kept-folders'
  }

  async review<Kind extends ReviewKind>(request: ReviewRequest<Kind>, signal: AbortSignal): Promise<Settlement<Kind>> {
    if (signal.aborted) return { outcome: 'withdrawn', reason: 'the question was taken back' }
    const decided = this.#decide(request as unknown as ReviewRequest<ReviewKind>)
    if (decided === undefined) return { outcome: 'nobody' }
    if ('faults' in decided) return { outcome: 'unfit', faults: decided.faults }
    const decision = decided as Decision<Kind>
    const faults = (await request.check?.(decision)) ?? []
    return faults.length > 0 ? { outcome: 'unfit', faults } : { outcome: 'decided', decision, by: 'script' }
  }

  #decide({ kind, origin, subject }: ReviewRequest<ReviewKind>): Decision | { readonly faults: readonly FieldFault[] } | undefined {
    switch (kind) {
      case 'form': {
        const { message, form } = subject as ReviewSubjects['form']
        const answer = this.#find(origin, { request: 'elicitation', mode: 'form', message })
        if (answer?.request !== 'elicitation') return undefined
        if (answer.action !== 'accept') return { action: answer.action }
        return fillSecrets(answer.content ?? {}, form, this.#options.environment)
      }
      case 'url': {
        const answer = this.#find(origin, { request: 'elicitation', mode: 'url', message: (subject as ReviewSubjects['url']).message })
        if (answer?.request !== 'elicitation') return undefined
        return answer.action === 'accept' ? { action: 'accept' } : { action: answer.action }
      }
      case 'prompt':
        return decidePrompt(this.#find(origin, { request: 'sampling', message: lastUserText((subject as ReviewSubjects['prompt']).request) }))
      case 'folders':
        return this.#decideFolders(this.#find(origin, { request: 'roots' }), subject as ReviewSubjects['folders'])
      // The script said yes to the question itself; a model's answer and the end of a visit are what followed from it.
      case 'completion':
        return { action: 'approve' }
      case 'url-wait':
        return { action: 'continue' }
      // No file says what is to be done about a server that does not listen, or a client that shows nothing.
      case 'kept-folders':
      case 'silent-client':
        return undefined
      // A file cannot know what was meant to be enough.
      case 'budget':
        return undefined
      default:
        return kind satisfies never
    }
  }

  #decideFolders(answer: EntryAnswer | undefined, { proposed }: ReviewSubjects['folders']): Decision<'folders'> | undefined {
    if (answer?.request !== 'roots') return undefined
    if (answer.action === 'deny') return { action: 'deny' }
    if (answer.roots === undefined) return { action: 'grant', roots: proposed.map(({ path, name }) => ({ path, name })) }
    return { action: 'grant', roots: answer.roots.map((path) => ({ path: this.#options.resolvePath(path) })) }
  }

  #find(origin: Origin, question: { request: InputKind; mode?: 'form' | 'url'; message?: string | undefined }): EntryAnswer | undefined {
    const { name } = origin.server
    const fitting = this.#entries.filter((one) => {
      const { when, times = Infinity } = one
      if (when.request !== question.request) return false
      if (when.mode !== undefined && when.mode !== question.mode) return false
      if (when.message !== undefined && (question.message === undefined || !matchesPattern(when.message, question.message))) return false
      return (this.#used.get(one) ?? 0) < times
    })
    const named = fitting.filter(({ when }) => when.server === undefined || matchesPattern(when.server, name))
    // What fills in a form consents to no visit.
    const entry = named.find(({ when, then }) => question.mode !== 'url' || when.mode !== undefined || !('content' in then) || then.content === undefined)
    if (entry) this.#used.set(entry, (this.#used.get(entry) ?? 0) + 1)
    else if (named.length > 0) this.#options.notice?.(forFormsOnly)
    else if (fitting[0]) this.#options.notice?.(describeOtherName(fitting[0].when.server!, name))
    return entry?.then
  }
}

const forFormsOnly =
  'an entry of the answers file fits this question but for its "content": it fills in a form, and this is a page to visit ("mode": "url" in its "when" is for pages)'

function describeOtherName(written: TextPattern, name: string): string {
  return `an entry of the answers file fits this question in all but the server's name: it is for "${typeof written === 'string' ? written : written.exactly}", and this server is called "${name}" here (--name gives it another name)`
}

function decidePrompt(answer: EntryAnswer | undefined): Decision<'prompt'> | undefined {
  if (answer?.request !== 'sampling') return undefined
  if (answer.action === 'deny') return { action: 'deny' }
  if (answer.content === undefined) return { action: 'approve', model: answer.model }
  const completion: Completion = { content: answer.content, model: answer.model ?? 'scripted', stopReason: answer.stopReason }
  return { action: 'write', completion }
}

const VARIABLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

/** The variable that stands in place of a secret, as `--record` writes it. */
function variableIn(value: unknown): string | undefined {
  return typeof value === 'string' ? VARIABLE.exec(value)?.[1] : undefined
}

function secretVariables(content: Readonly<Record<string, unknown>>, form: Form): readonly { readonly field: Field; readonly variable: string }[] {
  return form.fields.flatMap((field) => {
    const variable = field.secret && Object.hasOwn(content, field.name) ? variableIn(content[field.name]) : undefined
    return variable === undefined ? [] : [{ field, variable }]
  })
}

/** A secret that the environment does not hold is a fault: leaving it out would be another answer. */
function fillSecrets(
  content: JsonObject,
  form: Form,
  environment: ScriptOptions['environment'],
): Extract<Decision<'form'>, { readonly action: 'accept' }> | { readonly faults: readonly FieldFault[] } {
  const filled: Record<string, unknown> = { ...content }
  const faults: FieldFault[] = []
  for (const { field, variable } of secretVariables(content, form)) {
    const text = Object.hasOwn(environment, variable) ? environment[variable] : undefined
    // A variable is a text, whatever its field takes; an empty one is an empty text, not a field left blank.
    if (text !== undefined) filled[field.name] = text === '' ? '' : readTyped(field, text)
    else faults.push({ field: field.name, problem: 'variable-unset', message: `the environment variable ${variable}, which holds this answer, is not set` })
  }
  return faults.length > 0 ? { faults } : { action: 'accept', content: filled }
}
