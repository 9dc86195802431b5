/** Every code an error of ours can carry; each has a row in `docs/errors.md`. */
export const errorCodes = [
  'ANSWERS_FILE_INVALID',
  'AUDIT_BROKEN',
  'AUDIT_UNAVAILABLE',
  'CALL_CANCELLED',
  'CALL_TIMED_OUT',
  'CONFIG_INVALID',
  'CONNECTION_LOST',
  'DESK_UNREACHABLE',
  'ELICITATION_INVALID',
  'FEATURE_NOT_DECLARED',
  'FORM_SCHEMA_INVALID',
  'INPUT_REFUSED',
  'INTERNAL',
  'LIMIT_REACHED',
  'LINK_USED',
  'MODEL_FAILED',
  'MODEL_UNKNOWN',
  'NO_ONE_TO_ASK',
  'PATH_REFUSED',
  'PATH_UNUSABLE',
  'PORT_IN_USE',
  'PROTOCOL_VIOLATION',
  'ROOTS_UNAVAILABLE',
  'REQUEST_REFUSED',
  'ROOT_INVALID',
  'SAMPLING_DENIED',
  'SAMPLING_INVALID',
  'SANDBOX_UNAVAILABLE',
  'SERVER_ERROR',
  'SERVER_NOT_FOUND',
  'SERVER_UNREACHABLE',
  'SESSION_ENDED',
  'STORE_UNAVAILABLE',
  'TOO_MANY_ROUNDS',
  'URL_REFUSED',
  'USAGE',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export interface ConsentryErrorOptions extends ErrorOptions {
  /** Facts for a machine: the field, the path, the file with line and column. Never a value that a person typed. */
  readonly data?: Readonly<Record<string, unknown>>
}

/**
 * Everything that goes wrong, as one class: a code for machines, and a message that says what to do next.
 *
 * What people decide is never an error: declining and cancelling are values.
 */
export class ConsentryError extends Error {
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>> | undefined

  constructor(code: ErrorCode, message: string, options: ConsentryErrorOptions = {}) {
    super(message, options)
    this.name = 'ConsentryError'
    this.code = code
    this.data = options.data
  }
}
