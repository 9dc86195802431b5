import type { AuditEntry, AuditSink } from '../audit/index.ts'
import { ConsentryError } from '../errors.ts'
import { describeDisk } from '../paths/index.ts'
import type { Completion, ConnectionOrigin, Decisions, Desk, DeskSession, InputRequest, InputResponse, ReviewKind, SamplingRequest } from '../protocol/index.ts'
import { RootList } from '../roots/index.ts'
import { createModels, createScriptedProvider, type Models } from '../sampling/index.ts'
import type { DeskParts } from './create-desk.ts'

/** What whoever decides says to each kind of review. What is absent is never asked in a test that leaves it out. */
export type GivenAnswers = { readonly [Kind in ReviewKind]?: Decisions[Kind] | undefined }

/** How to make a desk of one kind, at which somebody says what is given. */
export interface DeskMaker {
  readonly decidedBy: 'person' | 'script'
  readonly create: (answers: GivenAnswers, parts: DeskParts) => Desk
  /** Resolves when a session knows what it can answer. Default: from the first moment on. */
  readonly opened?: ((session: DeskSession) => Promise<void>) | undefined
}

/** The connection that the tests ask over. */
export const connection: ConnectionOrigin = {
  server: { name: 'travel', named: true, target: { kind: 'custom', description: 'a test' } },
  connection: 'c1',
}

const during = { revision: '2025-11-25', call: { kind: 'tool', name: 'book_trip' } } as const

/** A question about a seat, which may be left out. */
export const seatQuestion: InputRequest = {
  ...during,
  kind: 'elicitation',
  params: {
    message: 'Window or aisle?',
    requestedSchema: { type: 'object', properties: { seat: { type: 'string', enum: ['window', 'aisle'] }, note: { type: 'string' } } },
  },
}

/** A page to visit, by its id. */
export function visitQuestion(elicitationId: string): InputRequest {
  return { ...during, kind: 'elicitation', params: { mode: 'url', message: 'Sign in', url: 'https://air.example/login', elicitationId } }
}

/** A completion, from whoever gives one. */
export const modelQuestion: InputRequest = {
  ...during,
  kind: 'sampling',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Which flight?' } }], maxTokens: 100 },
}

export const rootsQuestion: InputRequest = { ...during, kind: 'roots', params: undefined }

export const allQuestions: readonly InputRequest[] = [seatQuestion, visitQuestion('e1'), modelQuestion, rootsQuestion]

export const written: Completion = { content: [{ type: 'text', text: 'The 10:05.' }], model: 'scripted' }

/** A yes to everything, with something in it that must not be found in a log. */
export const yesToAll: GivenAnswers = {
  form: { action: 'accept', content: { seat: 'aisle', note: 'typed-by-a-person' } },
  url: { action: 'accept' },
  'url-wait': { action: 'continue' },
  prompt: { action: 'write', completion: written },
  completion: { action: 'approve' },
  folders: { action: 'grant', roots: [{ path: '/home/ada/trip' }] },
}

/** Folders on a disk that is only described: two that are there, and one configured for `notes`. */
export function folderList(configured: readonly string[] = []): RootList {
  const disk = describeDisk({ dirs: ['/home/ada/trip', '/home/ada/work', '/home/ada/notes'] }, { platform: 'posix' })
  return new RootList({ disk, home: '/home/ada', configured: foldersFor(configured), debounce: 0, pollInterval: 60_000 })
}

export function foldersFor(paths: readonly string[]): ReadonlyMap<string, readonly { readonly path: string }[]> {
  return new Map([['travel', paths.map((path) => ({ path }))]])
}

/** One model, `test:one`, that answers as told. */
export function oneModel(answer: (request: SamplingRequest, model: string, signal: AbortSignal) => Completion | Promise<Completion>): Models {
  return createModels({ entries: [{ provider: 'test', model: 'one' }], providers: new Map([['test', createScriptedProvider(answer)]]) })
}

/** A model that is asked, and never answers before it is told to stop; and when it was asked so many times. */
export function silentModel(): { readonly models: Models; readonly asked: (times: number) => Promise<void> } {
  let count = 0
  let wake = (): void => undefined
  const models = oneModel((_request, _model, signal) => {
    count += 1
    wake()
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  })
  return {
    models,
    async asked(times) {
      while (count < times) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}

/** An audit log that holds so many entries, and then cannot be written. */
export class FullAudit implements AuditSink {
  readonly entries: AuditEntry[] = []
  readonly #room: number

  constructor(room: number) {
    this.#room = room
  }

  async append(entry: AuditEntry): Promise<void> {
    if (this.entries.length >= this.#room) throw new ConsentryError('AUDIT_UNAVAILABLE', 'no space left on device')
    this.entries.push(entry)
  }
}

/** Answers one question at a fresh desk that is offered one folder. */
export function answerAt(create: DeskMaker['create']): (question: InputRequest, answers: GivenAnswers, parts?: DeskParts) => Promise<InputResponse> {
  return async (question, answers, parts) => {
    const desk = create(answers, { roots: folderList(), proposedRoots: [{ path: '/home/ada/trip' }], ...parts })
    const response = await desk.open(connection).answer(question, new AbortController().signal)
    await desk.close()
    return response
  }
}

/** What the server gets; a response without a result as it is. */
export function resultOf(response: InputResponse): unknown {
  return response.outcome === 'answered' ? response.result : response
}
