import type { ConsentryError, ErrorCode } from '../errors.ts'

/** What a command's exit code says. */
export const exitCodes = {
  done: 0,
  /** The tool answered `isError`, a protocol error, or something the protocol forbids. */
  failed: 1,
  /** Wrong usage or config. */
  usage: 2,
  /** The server could not be reached, or died. */
  unreachable: 3,
  /** A question could not be answered by anyone. */
  unanswered: 4,
  /** Somebody pressed Ctrl-C where they were asked whether to go on: as after the signal. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const byCode: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  ANSWERS_FILE_INVALID: exitCodes.usage,
  AUDIT_UNAVAILABLE: exitCodes.usage,
  CALL_TIMED_OUT: exitCodes.unreachable,
  CONFIG_INVALID: exitCodes.usage,
  CONNECTION_LOST: exitCodes.unreachable,
  DESK_UNREACHABLE: exitCodes.unreachable,
  INPUT_REFUSED: exitCodes.unanswered,
  NO_ONE_TO_ASK: exitCodes.unanswered,
  PORT_IN_USE: exitCodes.usage,
  ROOT_INVALID: exitCodes.usage,
  SANDBOX_UNAVAILABLE: exitCodes.usage,
  SERVER_NOT_FOUND: exitCodes.usage,
  SERVER_UNREACHABLE: exitCodes.unreachable,
  STORE_UNAVAILABLE: exitCodes.usage,
  USAGE: exitCodes.usage,
}

export function exitCodeOf({ code }: ConsentryError): ExitCode {
  return byCode[code] ?? exitCodes.failed
}
