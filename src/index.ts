export { ConsentryError, errorCodes } from './errors.ts'
export type { ConsentryErrorOptions, ErrorCode } from './errors.ts'
export { answersFileMissing, createLocalDesk, createScriptedDesk, LocalDesk, parseAnswersFile, RecordingDesk, ScriptedDesk } from './desk/index.ts'
