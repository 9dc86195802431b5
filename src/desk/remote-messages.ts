import { ConsentryError, errorCodes, type ErrorCode } from '../errors.ts'
import {
  inputKinds,
  isJsonObject,
  isRevision,
  type AnswerCapabilities,
  type Answered,
  type ClientSilence,
  type ConnectionOrigin,
  type DecidedBy,
  type FreshStartEnd,
  type Heard,
  type InputKind,
  type InputRequest,
  type InputResponse,
  type Json,
  type JsonObject,
  type ParentCall,
  type ServerTarget,
  type UnansweredReason,
  type UrlWait,
} from '../protocol/index.ts'
import { readFolderFacts, readFreshStart } from './remote-folders.ts'

/** A folder that was named on the command line of a wrap; for its own connection only. */
export interface GivenFolder {
  readonly path: string
}

/** What a wrap can say to the desk. Nothing of it decides anything. */
export type ToDesk =
  | { readonly type: 'open'; readonly session: number; readonly origin: ConnectionOrigin; readonly folders: readonly GivenFolder[] }
  | { readonly type: 'ask'; readonly id: number; readonly session: number; readonly request: InputRequest }
  | { readonly type: 'wait'; readonly id: number; readonly session: number; readonly wait: UrlWait }
  /** A question that was refused where it came in: for the log. */
  | { readonly type: 'refused'; readonly session: number; readonly request: InputRequest; readonly error: ConsentryError }
  | { readonly type: 'withdraw'; readonly id: number; readonly reason: string }
  | { readonly type: 'complete'; readonly session: number; readonly elicitationId: string }
  /** Whether the client shows anybody what it is asked of this kind. */
  | { readonly type: 'client'; readonly session: number; readonly feature: InputKind; readonly how: ClientSilence | 'answers' }
  /** What the server says beside its questions: it may be lost. */
  | { readonly type: 'heard'; readonly session: number; readonly heard: Heard }
  /** What became of a fresh start that the desk asked for. */
  | { readonly type: 'restarted'; readonly session: number; readonly end: FreshStartEnd }
  | { readonly type: 'close'; readonly session: number }
  /** The desk opens its own window for the person; whoever asks gets nothing of it. */
  | { readonly type: 'show' }
  /** Another desk wants to take its place. */
  | { readonly type: 'leave' }
  /** Is it alive? */
  | { readonly type: 'ping' }

/** What a desk knows since which version of what is spoken; it takes anything that it does not know for the end. The rest is known to all. */
const knownSince: Readonly<Record<string, number>> = { client: 2, heard: 2, restarted: 3 }

/** Whether a desk that speaks this version can be told such a message. */
export function isKnown({ type, feature }: Pick<ToDesk, 'type'> & { readonly feature?: unknown }, version: number): boolean {
  return (knownSince[type] ?? 1) <= version && isFeatureKnown(feature, version)
}

/** Before the third version it was forms and pages alone that could be taken over, so that nobody said so. */
export function isFeatureKnown(feature: unknown, version: number): boolean {
  return feature === undefined || feature === 'elicitation' || version >= 3
}

/** What is taken over, or was not shown. */
export function readFeature(value: unknown): InputKind | undefined {
  return value === undefined || value === null ? 'elicitation' : inputKinds.find((kind) => kind === value)
}

/** An origin as a desk that speaks this version reads it. */
export function writeOrigin(origin: ConnectionOrigin, version: number): ConnectionOrigin {
  return version === 1 && origin.startedWith ? Object.assign({ fixedAtStart: true }, origin) : origin
}

/** What the desk says to a wrap. */
export type FromDesk =
  | { readonly type: 'capabilities'; readonly session: number; readonly capabilities: AnswerCapabilities }
  | { readonly type: 'event'; readonly session: number; readonly name: string; readonly detail?: unknown }
  | { readonly type: 'answered'; readonly id: number; readonly response: InputResponse }
  | { readonly type: 'waited'; readonly id: number; readonly outcome: 'completed' | 'continued' | 'cancelled' | ConsentryError }
  /** What became of `show` or `leave`: absent where it was done. */
  | { readonly type: 'done'; readonly why?: string | undefined }
  | { readonly type: 'pong' }

/** Of what a user chooses. What a server chooses has no limit but the message's: it must not end the connection. */
const longestName = 4096
const mostWords = 10_000

/** Reads what came from a wrap: into our own types, member by member. @returns undefined for what no wrap of ours says */
export function readToDesk(message: JsonObject): ToDesk | undefined {
  const { session, id, reason, elicitationId, how } = message
  const type = typeOf(message)
  switch (type) {
    case 'open': {
      const [origin, folders] = [readOrigin(message['origin']), readFolders(message['folders'])]
      return isNumber(session) && origin && folders ? { type, session, origin, folders } : undefined
    }
    case 'ask': {
      const request = readRequest(message['request'])
      return isNumber(session) && isNumber(id) && request ? { type, id, session, request } : undefined
    }
    case 'wait': {
      const wait = readWait(message['wait'])
      return isNumber(session) && isNumber(id) && wait ? { type, id, session, wait } : undefined
    }
    case 'refused': {
      const [request, error] = [readRequest(message['request']), readError(message['error'])]
      return isNumber(session) && request && error ? { type, session, request, error } : undefined
    }
    case 'withdraw':
      return isNumber(id) && isText(reason) ? { type, id, reason } : undefined
    case 'complete':
      return isNumber(session) && typeof elicitationId === 'string' ? { type, session, elicitationId } : undefined
    case 'client': {
      const feature = readFeature(message['feature'])
      return feature && isNumber(session) && (how === 'cancels' || how === 'silence' || how === 'answers') ? { type, session, feature, how } : undefined
    }
    case 'heard': {
      const heard = readHeard(message['heard'])
      return isNumber(session) && heard ? { type, session, heard } : undefined
    }
    case 'restarted': {
      const end = readFreshStart(message['end'])
      return isNumber(session) && end ? { type, session, end } : undefined
    }
    case 'close':
      return isNumber(session) ? { type, session } : undefined
    case 'show':
    case 'leave':
    case 'ping':
      return { type }
    default:
      return undefined
  }
}

/** Reads what came from a desk. @returns undefined for what no desk of ours says */
export function readFromDesk(message: JsonObject): FromDesk | undefined {
  const { session, id, name, why, outcome } = message
  const type = typeOf(message)
  switch (type) {
    case 'capabilities': {
      const capabilities = readCapabilities(message['capabilities'])
      return isNumber(session) && capabilities ? { type, session, capabilities } : undefined
    }
    case 'event':
      return isNumber(session) && isText(name) ? { type, session, name, detail: message['detail'] } : undefined
    case 'answered': {
      const response = readResponse(message['response'])
      return isNumber(id) && response ? { type, id, response } : undefined
    }
    case 'waited': {
      if (!isNumber(id)) return undefined
      if (outcome === 'completed' || outcome === 'continued' || outcome === 'cancelled') return { type, id, outcome }
      const error = readError(outcome)
      return error && { type, id, outcome: error }
    }
    case 'pong':
      return { type }
    case 'done':
      return { type, why: typeof why === 'string' ? why : undefined }
    default:
      return undefined
  }
}

/** A response as it goes over the wire: an error becomes what it says. */
export function writeResponse(response: InputResponse): object {
  return response.outcome === 'refused' ? { ...response, error: writeError(response.error) } : response
}

export function writeError({ code, message, data }: ConsentryError): object {
  return { code, message, ...(data && { data }) }
}

function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}

function readOrigin(value: unknown): ConnectionOrigin | undefined {
  if (!isJsonObject(value) || !isJsonObject(value['server'])) return undefined
  const { connection, client, canRestart, saysHeld } = value
  const startedWith = readStart(value)
  const { name, named } = value['server']
  const target = readTarget(value['server']['target'])
  if (!isText(name) || typeof named !== 'boolean' || !target || !isText(connection)) return undefined
  const facts = { canRestart: canRestart === true, saysHeld: saysHeld === true }
  const said = { client: isText(client) ? client : undefined, ...facts, ...(startedWith && { startedWith }), ...readFolderFacts(value) }
  return { server: { name, named, target }, connection, ...said }
}

/** What a server was started with. A wrap of the first version says that it has its folders from its start, and not which. */
function readStart({ startedWith, fixedAtStart }: JsonObject): ConnectionOrigin['startedWith'] {
  if (isTextList(startedWith)) return startedWith
  return startedWith === 'unsaid' || fixedAtStart === true ? 'unsaid' : undefined
}

function readTarget(value: unknown): ServerTarget | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, command, args, cwd, url, description } = value
  if (kind === 'stdio' && isText(command) && isTextList(args)) return { kind, command, args, cwd: isText(cwd) ? cwd : undefined }
  if (kind === 'http' && isText(url)) return { kind, url }
  return kind === 'custom' && isText(description) ? { kind, description } : undefined
}

function readFolders(value: unknown): readonly GivenFolder[] | undefined {
  if (!Array.isArray(value) || value.length > mostWords) return undefined
  const paths = (value as readonly unknown[]).map((folder) => (isJsonObject(folder) ? folder['path'] : undefined))
  return paths.every((path) => isText(path)) ? paths.map((path) => ({ path })) : undefined
}

function readRequest(value: unknown): InputRequest | undefined {
  if (!isJsonObject(value)) return undefined
  const { params, revision, key, isInCall, isTakenOver } = value
  const kind = inputKinds.find((one) => one === value['kind'])
  if (kind === undefined || !isRevision(revision)) return undefined
  const facts = { ...(isInCall === true && { isInCall }), ...(isTakenOver === true && { isTakenOver }) }
  return { kind, params, revision, call: readCall(value['call']), key: typeof key === 'string' ? key : undefined, ...facts }
}

function readCall(value: unknown): ParentCall | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, name, count } = value
  if (kind === 'one-of') return isNumber(count) ? { kind, count } : undefined
  return (kind === 'tool' || kind === 'prompt' || kind === 'resource') && typeof name === 'string' ? { kind, name } : undefined
}

function readWait(value: unknown): UrlWait | undefined {
  if (!isJsonObject(value) || !isJsonObject(value['request'])) return undefined
  const { ids, message, urls, goesOn } = value
  const { revision, call } = value['request']
  if (!isTextList(ids) || !isTextList(urls) || typeof message !== 'string' || !isRevision(revision)) return undefined
  return { ids, message, urls, request: { revision, call: readCall(call) }, goesOn: goesOn === true }
}

function readHeard(value: unknown): Heard | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, text, from, line, bytes, missed } = value
  if (kind === 'stderr') return typeof text === 'string' ? { kind, text } : undefined
  if (kind !== 'traffic' || (from !== 'client' && from !== 'server') || typeof line !== 'string') return undefined
  return { kind, from, line, bytes: isNumber(bytes) ? bytes : undefined, missed: isNumber(missed) ? missed : undefined }
}

function readCapabilities(value: unknown): AnswerCapabilities | undefined {
  if (!isJsonObject(value)) return undefined
  const { roots, form, url, sampling, samplingTools } = value
  return { roots: roots === true, form: form === true, url: url === true, sampling: sampling === true, samplingTools: samplingTools === true }
}

function readResponse(value: unknown): InputResponse | undefined {
  if (!isJsonObject(value)) return undefined
  const { outcome, reason, result, isForClient } = value
  if (outcome === 'withdrawn') return typeof reason === 'string' ? { outcome, reason, ...(isForClient === true && { isForClient }) } : undefined
  const by = deciders.find((one) => one === value['by'])
  if (by === undefined) return undefined
  const ended = {
    by,
    unanswered: typeof value['unanswered'] === 'string' ? (value['unanswered'] as UnansweredReason) : undefined,
    facts: isJsonObject(value['facts']) ? value['facts'] : undefined,
  }
  if (outcome === 'answered') return isJsonObject(result) ? { outcome, result, ...ended, ...readTerms(value) } : undefined
  const error = readError(value['error'])
  return outcome === 'refused' && error ? { outcome, error, ...ended } : undefined
}

/** A desk that is older says nothing of it. */
function readTerms({ terms }: JsonObject): Pick<Answered, 'terms'> {
  if (!Array.isArray(terms)) return {}
  return {
    terms: terms.flatMap((folder) => {
      const { path, identity, repository } = isJsonObject(folder) ? folder : {}
      if (typeof path !== 'string' || typeof identity !== 'string') return []
      return [{ path, identity, ...(typeof repository === 'string' && { repository }) }]
    }),
  }
}

function readError(value: unknown): ConsentryError | undefined {
  if (!isJsonObject(value)) return undefined
  const { message, data } = value
  const code = errorCodes.find((one: ErrorCode) => one === value['code'])
  if (code === undefined || typeof message !== 'string') return undefined
  return new ConsentryError(code, message, isJsonObject(data) ? { data } : {})
}

const deciders: readonly DecidedBy[] = ['person', 'rule', 'script', 'none']

/** Ids are made by counting. */
function isNumber(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestName
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= mostWords && value.every((word) => typeof word === 'string')
}
