import { existsSync } from 'node:fs'
import { openStore, type Store } from '../store/index.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** Reads from the database of the state folder, where there is one: looking for something makes none. @throws ConsentryError `STORE_UNAVAILABLE` */
export async function useStore<Result>(place: Place, use: (store: Store) => Promise<Result>, without: Result): Promise<Result> {
  const { databaseFile } = openStateFolder(place)
  if (!existsSync(databaseFile)) return without
  const store = await openStore({ file: databaseFile })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
