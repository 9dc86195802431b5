export type { AskFacts, AskKey, AskMessages } from './ask-phrase.ts'
export { askPhrase, englishAskMessages } from './ask-phrase.ts'
export type { ConfigFileEvents, ConfigFileOptions } from './config-file.ts'
export { ConfigFile } from './config-file.ts'
export type { Config, ConfigPlace, KeySource, ModelEntry, RootEntry, ServerEntry } from './config.ts'
export { emptyConfig, modelApis } from './config.ts'
export type { ConfiguredRoots } from './configured-roots.ts'
export { configuredMappings, configuredRoots } from './configured-roots.ts'
export type { EditedFile, RootEdit } from './edit-config.ts'
export { addRoot, removeRoot, removeRootMapping, setAlwaysAsk, setRootMapping } from './edit-config.ts'
export {
  changeServer,
  putFirstRule,
  putRule,
  putServer,
  raiseRule,
  removeRule,
  removeServer,
  setServerDisabled,
  setServerLimits,
  setTotalLimits,
} from './edit-entries.ts'
export type { NewModel } from './edit-models.ts'
export { addModel, removeModel } from './edit-models.ts'
export { expandVariables } from './expand-variables.ts'
export { matchesGlob } from './glob.ts'
export type { Grant, GrantsOptions, NewGrant } from './grants.ts'
export { Grants, serverKey } from './grants.ts'
export type { KnownServer, Recognition } from './known-server.ts'
export { recognize } from './known-server.ts'
export { parseConfig } from './parse-config.ts'
export type { PolicyOptions, PolicyQuestion, ReservationRequest, Ruling } from './policy.ts'
export { Policy } from './policy.ts'
export type { JsoncDocument, JsoncPath, JsoncPosition } from './read-jsonc.ts'
export type { ClientFormat, ClientServer } from './read-client-config.ts'
export { readClientConfig } from './read-client-config.ts'
export { readJsonc } from './read-jsonc.ts'
export type { Reservation } from './reservation.ts'
export type { Limits, Rule } from './rule.ts'
export { MemorySpending } from './memory-spending.ts'
export type { SamplingConfig, SamplingSettings } from './sampling-settings.ts'
export { noSamplingConfig, usualLimits, usualToolRounds } from './sampling-settings.ts'
export type { Booking, Settled, Spending, SpendingLedger, SpendingScope, Usage, UsageOfDay } from './spending.ts'
export { StoredSpending } from './stored-spending.ts'
export { readRootsTo, readSandboxWish, rootsToForms, sandboxForms, type RootsTo, type SandboxWish, type StartWishes } from './start-wishes.ts'
export type { TextPattern } from './text-pattern.ts'
export { asTextPattern, exactly, matchesPattern } from './text-pattern.ts'
