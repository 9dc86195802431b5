import { cutBeginning } from '../audit/cut-beginning.ts'
import {
  createListeners,
  type AnswerCapabilities,
  type ClientSilence,
  type ConnectionOrigin,
  type DeskSession,
  type DeskSessionEvents,
  type FreshStartEnd,
  type Heard,
  type InputKind,
  type InputRequest,
  type InputResponse,
  type UrlWait,
} from '../protocol/index.ts'
import type { ConsentryError } from '../errors.ts'
import { sessionEvents } from '../protocol/desk-session.ts'
import { readKeptReport, readUris } from './remote-folders.ts'
import { readFeature, writeError, type ToDesk } from './remote-messages.ts'
import type { RemoteQuestions } from './remote-questions.ts'

/** Characters of a server's stderr that a desk which comes back is told. */
const mostLastWords = 16 * 1024
/** While nobody can be reached, nothing can be promised. */
const nothing: AnswerCapabilities = { roots: false, form: false, url: false, sampling: false, samplingTools: false }

/** A message as it is written; an error in it is what it says. */
type Told = Pick<ToDesk, 'type'> & Readonly<Record<string, unknown>>

export interface RemoteSessionNeeds {
  readonly number: number
  readonly questions: RemoteQuestions
  /** Tells the desk, if there is one that knows this. */
  readonly tell: (message: Told) => void
  /** The same for what may be lost. @returns whether it was said */
  readonly offer: (message: Told) => boolean
}

/** A session at the running desk, as this process sees it. It outlives the connection: a desk that comes back is told of it again. */
export class RemoteSession implements DeskSession {
  readonly origin: ConnectionOrigin
  /** Resolves when the desk has said, for the first time, what it can answer. */
  readonly opened: Promise<void>
  readonly #needs: RemoteSessionNeeds
  readonly #listeners = createListeners<DeskSessionEvents>()
  #capabilities = nothing
  /** Reviews that the desk said are shown. */
  #waiting = 0
  readonly #takenOver = new Set<InputKind>()
  #wantsTraffic = false
  #lastWords = ''
  #isClosed = false
  #setOpened: () => void = () => undefined

  constructor(origin: ConnectionOrigin, needs: RemoteSessionNeeds) {
    this.origin = origin
    this.#needs = needs
    this.opened = new Promise((resolve) => (this.#setOpened = resolve))
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  capabilities(): AnswerCapabilities {
    return this.#capabilities
  }

  answer(request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    return this.#needs.questions.ask(this.#needs.number, request, signal)
  }

  refused(request: InputRequest, error: ConsentryError): void {
    this.#needs.tell({ type: 'refused', session: this.#needs.number, request, error: writeError(error) })
  }

  reportClient(feature: InputKind, how: ClientSilence | 'answers'): void {
    this.#needs.tell({ type: 'client', session: this.#needs.number, feature, how })
  }

  restarted(end: FreshStartEnd): void {
    this.#needs.tell({ type: 'restarted', session: this.#needs.number, end })
  }

  get takenOver(): ReadonlySet<InputKind> {
    return this.#takenOver
  }

  get wantsTraffic(): boolean {
    return this.#wantsTraffic
  }

  /** The last that the server wrote to its stderr is kept: a desk that comes back knows nothing of it. */
  heard(heard: Heard): boolean {
    if (heard.kind === 'stderr') this.#lastWords = cutBeginning(this.#lastWords + heard.text, mostLastWords)
    return this.#needs.offer({ type: 'heard', session: this.#needs.number, heard })
  }

  complete(elicitationId: string): void {
    this.#needs.tell({ type: 'complete', session: this.#needs.number, elicitationId })
  }

  awaitCompletion(wait: UrlWait, signal: AbortSignal): Promise<'completed' | 'continued' | 'cancelled'> {
    return this.#needs.questions.wait(this.#needs.number, wait, signal)
  }

  on<Name extends keyof DeskSessionEvents>(event: Name, listener: (detail: DeskSessionEvents[Name]) => void): () => void {
    return this.#listeners.on(event, listener)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#listeners.clear()
    this.#needs.tell({ type: 'close', session: this.#needs.number })
  }

  /** A desk was told of this session, which it did not know. */
  takeOpening(): void {
    const text = this.#lastWords
    if (text !== '') this.#needs.offer({ type: 'heard', session: this.#needs.number, heard: { kind: 'stderr', text } })
  }

  /** The desk says what it can answer at this moment. */
  takeCapabilities(capabilities: AnswerCapabilities): void {
    const isNews = JSON.stringify(capabilities) !== JSON.stringify(this.#capabilities)
    this.#capabilities = capabilities
    this.#setOpened()
    if (isNews) this.#listeners.emit('capabilities-changed', undefined)
  }

  /** The desk tells what happens; what we do not know is not passed on. */
  takeEvent(name: string, detail: unknown): void {
    if (!isEventName(name)) return
    if (name === 'waiting') this.#waiting += 1
    if (name === 'resumed') this.#waiting -= 1
    if (name === 'take-over-asked' || name === 'take-over-ended') return this.#takeTakeOver(name, detail)
    if (name === 'traffic-wanted') return this.#takeTrafficWanted(detail === true)
    if (name === 'folders-kept') {
      const found = readKeptReport(detail)
      if (found) this.#listeners.emit(name, found)
      return
    }
    if (name === 'folders-undecided') return this.#listeners.emit(name, readUris(detail))
    this.#listeners.emit(name, detail as DeskSessionEvents[typeof name])
  }

  /** The desk is lost: nobody is being asked any more, and nothing can be promised. */
  takeLoss(): void {
    this.#takeTrafficWanted(false)
    for (; this.#waiting > 0; this.#waiting -= 1) this.#listeners.emit('resumed', undefined)
    if (this.#capabilities === nothing) return
    this.#capabilities = nothing
    this.#listeners.emit('capabilities-changed', undefined)
  }

  #takeTakeOver(name: 'take-over-asked' | 'take-over-ended', detail: unknown): void {
    const kind = readFeature(detail)
    if (kind === undefined) return
    if (name === 'take-over-asked') this.#takenOver.add(kind)
    else this.#takenOver.delete(kind)
    this.#listeners.emit(name, kind)
  }

  #takeTrafficWanted(isWanted: boolean): void {
    if (this.#wantsTraffic === isWanted) return
    this.#wantsTraffic = isWanted
    this.#listeners.emit('traffic-wanted', isWanted)
  }
}

function isEventName(name: string): name is keyof DeskSessionEvents {
  // What can be answered comes in a message of its own.
  return name !== 'capabilities-changed' && (sessionEvents as readonly string[]).includes(name)
}
