import { resolve } from 'node:path'
import { readClientDocument, type ClientDocument } from '../../clients/index.ts'
import { ConsentryError } from '../../errors.ts'
import type { ClientFormat } from '../../policy/index.ts'
import { installableClients, otherClientFiles, type OtherClientFile } from '../other-clients.ts'
import type { Place } from '../place.ts'
import { readClientFile, type ReadFile } from './client-file.ts'

export interface FileChoice {
  /** `--client`, as typed; none is all of them. */
  readonly client: readonly string[]
  /** `--config`: these files, in place of those of the clients. */
  readonly config: readonly string[]
}

/** A config file that may be there. */
export type CandidateFile = Omit<OtherClientFile, 'format'> & {
  /** Undefined: however servers are written down. */
  readonly format: ClientFormat | undefined
  /** Somebody named it: where it is not, that is a fault. */
  readonly isNamed?: boolean | undefined
}

/** A config file with servers in it, or why it cannot be used. */
export type FoundFile = CandidateFile & { readonly read?: ReadFile | undefined } & (
    | { readonly document: ClientDocument; readonly fault?: undefined }
    | { readonly fault: ConsentryError; readonly document?: undefined }
  )

/** The files that a command line means. @throws ConsentryError `USAGE` for a client that nobody knows */
export function chooseFiles({ client, config }: FileChoice, place: Place): readonly CandidateFile[] {
  const unknown = client.find((name) => !installableClients.some((known) => known === name))
  if (unknown !== undefined)
    throw new ConsentryError(
      'USAGE',
      `--client does not know ${JSON.stringify(unknown)}; it knows: ${installableClients.join(', ')}. Others go by --config FILE`,
    )
  const named = config.map((file) => ({ ...candidateAt(resolve(place.cwd, file), place), isNamed: true }))
  if (config.length > 0 && client.length === 0) return named
  return [...otherClientFiles(place).filter(({ installs }) => installs !== undefined && (client.length === 0 || client.includes(installs))), ...named]
}

/** A file by its path; whose it is, where that is known. */
export function candidateAt(file: string, place: Place): CandidateFile {
  const known = otherClientFiles(place).find((one) => one.file === file)
  return known ?? { client: 'a client', installs: undefined, file, format: undefined, scope: 'user', folder: place.cwd }
}

/** Reads those that are there; the same file under several names once. */
export async function readFiles(candidates: readonly CandidateFile[]): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const candidate of candidates) {
    const file = await readOne(candidate)
    if (file === undefined) continue
    const real = file.read?.real ?? candidate.file
    if (!found.has(real)) found.set(real, file)
  }
  return [...found.values()]
}

async function readOne(candidate: CandidateFile): Promise<FoundFile | undefined> {
  const { file, format } = candidate
  let read: ReadFile | undefined
  try {
    read = await readClientFile(file)
    if (read === undefined && !candidate.isNamed) return undefined
    if (read === undefined) throw new ConsentryError('CONFIG_INVALID', `there is no file ${file}`, { data: { file } })
    if (format === 'codex-toml' || file.endsWith('.toml'))
      throw new ConsentryError('CONFIG_INVALID', `${file} is TOML: put the words there by hand`, { data: { file } })
    return { ...candidate, read, document: readClientDocument(read.text, file, format) }
  } catch (error) {
    if (error instanceof ConsentryError) return { ...candidate, read, fault: error }
    throw error
  }
}
