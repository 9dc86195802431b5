export type { Boundary, HeldCommand, HeldFolder, StartCommand } from './boundary.ts'
export { isCovered } from './lay-out.ts'
export type { Machine, ShortRun } from './machine.ts'
export { holdServer, type SandboxOptions } from './sandbox.ts'
