import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { ConsentryError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/index.ts'
import { checkKinds, type CheckKind } from './check-kinds.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import type { Place } from './place.ts'
import { jsonLine, writeOut } from './write-out.ts'

export interface CheckOptions {
  readonly batch?: string | undefined
  readonly json?: boolean | undefined
}

/** `consentry check KIND`: what would happen, without a server, a person or a network. */
export async function runCheck(name: string, options: CheckOptions, place: Place): Promise<ExitCode> {
  const kind = Object.hasOwn(checkKinds, name) ? checkKinds[name] : undefined
  if (kind === undefined) throw new ConsentryError('USAGE', `"${name}" cannot be checked; one of: ${Object.keys(checkKinds).join(', ')}`)
  if (options.batch === undefined) return checkOne(kind, options, place)
  return checkBatch(kind, options.batch === '-' ? place.stdin : createReadStream(resolve(place.cwd, options.batch)), place.stdout)
}

async function checkOne(kind: CheckKind, { json }: CheckOptions, { stdin, stdout, stderr }: Place): Promise<ExitCode> {
  if (stdin.isTTY) stderr.write('Type or paste one case as JSON, then press Ctrl-D.\n')
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  const result = await judge(kind, Buffer.concat(chunks).toString('utf8'))
  stdout.write(json ? jsonLine(result) : `${explain(result)}\n`)
  return 'usage' in result ? exitCodes.usage : exitCodes.done
}

/** One line in, one line out, in order; a line that cannot be read is said so, and the others go on. */
async function checkBatch(kind: CheckKind, input: Readable, stdout: Writable): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue
    const result = await judge(kind, line)
    if ('usage' in result) code = exitCodes.usage
    await writeOut(stdout, jsonLine(result))
  }
  return code
}

async function judge(kind: CheckKind, text: string): Promise<JsonObject> {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    return { usage: `this line is not JSON: ${(error as Error).message}` }
  }
  if (!isJsonObject(input)) return { usage: 'a case is a JSON object' }
  try {
    const check = await kind.load()
    return await check(input)
  } catch (error) {
    if (error instanceof ConsentryError && error.code === 'USAGE') return { usage: error.message }
    throw error
  }
}

/** Only a line feed ends a line: JSON texts may hold every other separator. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  try {
    for await (const chunk of input) {
      const [first = '', ...rest] = decoder.decode(Buffer.from(chunk as Uint8Array), { stream: true }).split('\n')
      pieces.push(first)
      for (const line of rest) {
        yield pieces.join('')
        pieces = [line]
      }
    }
  } catch (cause) {
    throw new ConsentryError('USAGE', `the cases cannot be read: ${(cause as Error).message}`, { cause })
  }
  yield pieces.join('')
}

/** The result as a person reads it: one fact a line. */
function explain(result: JsonObject): string {
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}
