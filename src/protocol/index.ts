export type { AnswerCapabilities, Desk, DeskSession, DeskSessionEvents, Heard, RestartReason, UrlWait } from './desk-session.ts'
export type {
  BooleanField,
  Choice,
  ChoiceField,
  Field,
  FieldFault,
  FieldValue,
  Form,
  FormValues,
  MultipleChoiceField,
  NumberField,
  SecretMark,
  TextField,
  TextFormat,
  TextListField,
} from './form.ts'
export type { InputKind, InputMethod, InputRequest } from './input-request.ts'
export { inputKinds, inputMethods, isInputMethod } from './input-request.ts'
export type { Answered, DecidedBy, InputResponse, Refused, UnansweredReason } from './input-response.ts'
export type { Json, JsonObject } from './json.ts'
export { isJsonObject } from './json.ts'
export type { FreshStartEnd, KeptChoice, KeptFoldersFault, KeptFoldersReport, KeptReason } from './kept-folders.ts'
export { keptFaults } from './kept-folders.ts'
export type { Listeners } from './listeners.ts'
export { createListeners } from './listeners.ts'
export type { ConnectionOrigin, Origin, ParentCall, ServerIdentity, ServerTarget } from './origin.ts'
export type { Phrase } from './phrase.ts'
export type { TakenOut } from './put-back.ts'
export { hasMarkLeft, hasPutBack, putBack, takeOut } from './put-back.ts'
export { findShortfalls, hasRoom } from './has-room.ts'
export type {
  AskedBefore,
  Cancelled,
  ClientSilence,
  Decision,
  Decisions,
  Draft,
  GrantedFolder,
  Remembrance,
  Review,
  ReviewDrafts,
  Reviewer,
  ReviewKind,
  ReviewRequest,
  ReviewSubjects,
  Settlement,
  UrlCard,
  UrlWarning,
} from './review.ts'
export { reviewKinds } from './review.ts'
export type { Era, Revision } from './revision.ts'
export { eraOf, isAtLeast, isRevision, latestLegacyRevision, latestRevision, revisions } from './revision.ts'
export type { FolderTerms, ProposedFolder, Root, RootState, RootStatus } from './root.ts'
export type {
  BudgetSubject,
  CompletionDraft,
  CompletionSubject,
  LimitName,
  LimitState,
  ModelChoice,
  ModelOption,
  PromptDraft,
  PromptSubject,
  RedactedPart,
  SamplingRemembrance,
  SpendingEstimate,
  Spent,
} from './sampling-review.ts'
export type {
  Completion,
  ContentBlock,
  MediaBlock,
  ModelPreferences,
  SamplingMessage,
  SamplingRequest,
  SamplingTool,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './sampling.ts'
export type { VisiblePart, VisibleTextOptions } from './visible-text.ts'
export { endOfCharacter, visibleParts } from './visible-text.ts'
