import type { ChannelLimits } from './remote-channel.ts'

/** Longest message, and so much may wait for whoever does not read; from the first megabyte on a wrap that does not read is not read either. */
export const deskLimits: ChannelLimits = { message: 80 * 1024 * 1024, waiting: 256 * 1024 * 1024, patience: 1024 * 1024 }
