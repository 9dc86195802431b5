import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import type { TakeOvers } from '../desk/silent-client.ts'
import type { Grant, Grants } from '../policy/index.ts'
import { privateFiles } from '../store/private-files.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** In place of which clients a person answers each time: consents like all others, shown and revoked where they are. */
export function keepTakeOvers(grants: Pick<Grants, 'add' | 'find' | 'list' | 'on'>, place: Place): TakeOvers {
  const { takeOverFile } = openStateFolder(place)
  const isAnyKept = async (): Promise<boolean> => (await grants.list()).some((grant) => clientOf(grant) !== undefined)
  return {
    async has({ server, client }, kind) {
      if (!existsSync(takeOverFile)) return false
      if ((await grants.find(server, kind)).some((grant) => clientOf(grant) === client)) return true
      if (await isAnyKept()) return false
      await unlink(takeOverFile).catch(() => undefined)
      // What was added in between left the very file that is gone now.
      if (await isAnyKept()) await privateFiles.replace(takeOverFile, '')
      return false
    },
    async add({ server, client }, kind) {
      if (client === undefined) return
      await grants.add(server, { kind, details: { answeredHereInPlaceOf: client } })
      await privateFiles.replace(takeOverFile, '')
    },
    onRevoked: (callback) => grants.on('revoked', callback),
  }
}

function clientOf({ details }: Grant): string | undefined {
  const client = details['answeredHereInPlaceOf']
  return typeof client === 'string' ? client : undefined
}
