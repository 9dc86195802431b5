import { Grants, type Grant } from '../policy/index.ts'
import { exitCodes, type ExitCode } from './exit.ts'
import { findRow } from './find-row.ts'
import type { Place } from './place.ts'
import { safeText } from './terminal/safe-text.ts'
import { useStore } from './use-store.ts'

/** `consentry models grants`: what people said about model requests that is remembered, newest first. */
export async function listModelGrants({ json }: { readonly json?: boolean | undefined }, place: Place): Promise<ExitCode> {
  const grants = await readGrants(place)
  if (json) place.stdout.write(`${JSON.stringify(grants)}\n`)
  else if (grants.length === 0) place.stdout.write('Nothing is remembered: each model request is shown, unless a rule of the config says otherwise.\n')
  else place.stdout.write(grants.map(describe).join(''))
  return exitCodes.done
}

/** `consentry models grants revoke ID`: the next request of the server is shown again. */
export async function revokeModelGrant(id: string, { json }: { readonly json?: boolean | undefined }, place: Place): Promise<ExitCode> {
  const grant = findRow(id, await readGrants(place), 'consentry models grants')
  await useStore(place, (store) => new Grants({ store }).revoke(grant.id), false)
  place.stdout.write(json ? `${JSON.stringify(grant)}\n` : `revoked ${describe(grant)}`)
  return exitCodes.done
}

async function readGrants(place: Place): Promise<readonly Grant[]> {
  const grants = await useStore(place, (store) => new Grants({ store }).list(), [])
  return grants.filter(({ kind }) => kind === 'sampling')
}

function describe({ id, server, details, grantedAt, expiresAt }: Grant): string {
  const skipped = details['skip'] === 'prompt' ? 'prompt' : details['skip'] === 'completion' ? 'answer' : 'prompt and answer'
  const what = details['says'] === 'deny' ? 'is never given a model' : `may ask models without showing the ${skipped}`
  const end = expiresAt === undefined ? 'until it is revoked' : `until ${new Date(expiresAt).toISOString().slice(0, 10)}`
  return `${safeText(`${id.slice(0, 8)}  ${server}  ${what}  since ${new Date(grantedAt).toISOString().slice(0, 10)}, ${end}`, { maximum: 500 })}\n`
}
