import { placeAt, readPlace, type Disk, type Place } from '../paths/index.ts'

/** Where an absolute path really leads, links followed; undefined where it leads nowhere, or is relative. */
export async function findRealPlace(path: string, disk: Disk): Promise<Place | undefined> {
  const real = readPlace(path, disk.platform).ok ? await disk.realPath(path) : undefined
  return real === undefined ? undefined : placeAt(real, disk.platform)
}

/** The same; what is not there stays what it is called. */
export async function findPlace(path: string, disk: Disk): Promise<Place | undefined> {
  return (await findRealPlace(path, disk)) ?? placeAt(path, disk.platform)
}
