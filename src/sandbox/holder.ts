import { isCovered } from './lay-out.ts'
import type { Machine } from './machine.ts'
import { findProgram } from './startup-files.ts'

/** Where systems keep programs, whatever PATH says. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/run/current-system/sw/bin:/run/wrappers/bin'

/** Names in an environment that make a program load code, or look for it. */
const LOADING = /^(?:LD_.*|DYLD_.*|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|PERL.*|NODE_.*|OPENSSL_.*|BASH_ENV|ENV|SHELLOPTS)$/

/** Finds a program that is to hold a server, by its real path. One that the server itself could have put there holds nothing. @param path as PATH is written */
export function findHolder(name: string, path: string, writable: readonly string[], machine: Machine): string | undefined {
  for (const folder of `${path}:${SYSTEM_PATH}`.split(':')) {
    const found = findProgram(name, folder, '/', machine)
    const real = found === undefined || isCovered(found, writable) ? undefined : machine.realPath(found)
    if (real !== undefined && !isCovered(real, writable)) return real
  }
  return undefined
}

/** An environment in two parts. */
export interface SplitEnvironment {
  /** What holds the server may see this. */
  readonly plain: Readonly<Record<string, string>>
  /** Only the server itself, once it is held: what these name may lie where it can write. */
  readonly loading: readonly (readonly [name: string, value: string])[]
}

/** Keeps from what holds a server all that could make it load the server's code. */
export function splitEnvironment(env: Readonly<Record<string, string>>): SplitEnvironment {
  const entries = Object.entries(env)
  return { plain: Object.fromEntries(entries.filter(([name]) => !LOADING.test(name))), loading: entries.filter(([name]) => LOADING.test(name)) }
}
