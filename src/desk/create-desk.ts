import type { AuditSink } from '../audit/index.ts'
import { matchPattern } from '../elicitation/index.ts'
import { Inbox } from '../inbox/index.ts'
import { Policy } from '../policy/index.ts'
import { RootList, type Proposal } from '../roots/index.ts'
import { createModels, type Models, type SamplingMemory } from '../sampling/index.ts'
import type { AnsweringDeskOptions } from './answering-desk.ts'
import type { AnswerEntry } from './answers-file.ts'
import { LocalDesk } from './local-desk.ts'
import { ScriptedDesk } from './scripted-desk.ts'

/** What a host brings of its own; everything has a default that allows nothing by itself. */
export interface DeskParts {
  /** Default: no rules, so that a person is asked. */
  readonly policy?: Policy | undefined
  /** Default: no folders. */
  readonly roots?: RootList | undefined
  /** Default: none, so that a person writes the answer. */
  readonly models?: Models | undefined
  /** What people had remembered about model requests, where it is kept over restarts. Default: it ends with this desk. */
  readonly samplingMemory?: SamplingMemory | undefined
  /** Where questions and decisions are written; whoever brings none keeps no log. */
  readonly audit?: AuditSink | undefined
  /** Folders to offer a server for which none was decided. */
  readonly proposedRoots?: readonly Proposal[] | undefined
}

export interface LocalDeskParts extends DeskParts {
  readonly inbox?: Inbox | undefined
}

export interface ScriptedDeskParts extends DeskParts {
  readonly answers: readonly AnswerEntry[]
  /** For `"${NAME}"` in fields that are marked as secrets. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Makes the answers' paths absolute. Default: they are. */
  readonly resolvePath?: ((path: string) => string) | undefined
}

/** A desk where people decide: attach a surface to its inbox, or nobody is there and nothing is promised. */
export function createLocalDesk({ inbox = new Inbox(), ...parts }: LocalDeskParts = {}): { readonly desk: LocalDesk; readonly inbox: Inbox } {
  return { desk: new LocalDesk({ ...withDefaults(parts), inbox }), inbox }
}

/** A desk that answers from a list: the entries of an answers file, in the same shape. @throws ConsentryError `ANSWERS_FILE_INVALID` @see parseAnswersFile */
export function createScriptedDesk({ answers, environment = {}, resolvePath = (path) => path, ...parts }: ScriptedDeskParts): ScriptedDesk {
  return new ScriptedDesk({ ...withDefaults(parts), script: { entries: answers, environment, resolvePath } })
}

function withDefaults({
  policy,
  roots = new RootList(),
  models,
  audit = keepNothing,
  proposedRoots = [],
  samplingMemory,
}: DeskParts): Omit<AnsweringDeskOptions, 'reviewer' | 'reviewedBy'> {
  return {
    policy: policy ?? new Policy(),
    models: models ?? createModels({ entries: [] }),
    samplingMemory,
    audit,
    matchPattern,
    openRoots: ({ server }) => roots.open(server),
    proposeRoots: () => proposedRoots,
  }
}

const keepNothing: AuditSink = { append: () => Promise.resolve() }
