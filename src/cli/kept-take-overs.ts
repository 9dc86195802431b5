import { existsSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import type { TakeOvers } from '../desk/silent-client.ts'
import type { Grant, Grants } from '../policy/index.ts'
import { privateFiles } from '../store/private-files.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** In place of which clients a person answers each time: consents like all others, shown and revoked where they are. */
export function keepTakeOvers(grants: Pick<Grants, 'add' | 'find' | 'list'>, place: Place): TakeOvers {
  const { takeOverFile } = openStateFolder(place)
  return {
    async has({ server, client }) {
      if (!existsSync(takeOverFile)) return false
      if ((await grants.find(server, 'elicitation')).some((grant) => clientOf(grant) === client)) return true
      if (!(await grants.list()).some((grant) => clientOf(grant) !== undefined)) await unlink(takeOverFile).catch(() => undefined)
      return false
    },
    async add({ server, client }) {
      if (client === undefined) return
      await grants.add(server, { kind: 'elicitation', details: { answeredHereInPlaceOf: client } })
      await privateFiles.replace(takeOverFile, '')
    },
  }
}

function clientOf({ details }: Grant): string | undefined {
  const client = details['answeredHereInPlaceOf']
  return typeof client === 'string' ? client : undefined
}
