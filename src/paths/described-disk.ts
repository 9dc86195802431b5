import { NodeTree, type DescribedTree, type DescribedVolume, type Node } from './described-tree.ts'
import type { Disk, DiskEntry } from './disk.ts'
import { followLinks } from './follow-links.ts'
import { parentOf, pathOf, readPlace, topOf, type Place } from './place.ts'

/** A disk that exists in words only, for either platform, on any machine: the same code decides on it as on a real one. */
export function describeDisk(tree: DescribedTree, volume: DescribedVolume): Disk {
  const { platform } = volume
  const nodes = new NodeTree(tree, volume)
  const look = (place: Place): Promise<DiskEntry> => Promise.resolve(entryOf(nodes.at(place)))

  async function follow(path: string): Promise<{ readonly node?: Node | undefined; readonly entry: DiskEntry }> {
    const reading = readPlace(path, platform)
    if (!reading.ok) return { entry: { kind: 'failed' } }
    const followed = await followLinks(reading.place, { look })
    return followed.outcome === 'found' ? { node: nodes.at(followed.place), entry: followed.entry } : { entry: { kind: followed.outcome } }
  }

  async function findReadable(path: string, kind: Node['kind']): Promise<Node | undefined> {
    const { node } = await follow(path)
    const folder = node?.kind === 'file' ? parentOf(node.place) : undefined
    const opens = node?.readable && (folder === undefined || nodes.at(folder)?.readable)
    return opens && node.kind === kind ? node : undefined
  }

  return {
    platform,
    inspect: async (path) => (await follow(path)).entry,
    async look(path) {
      const reading = readPlace(path, platform)
      if (!reading.ok) return { kind: 'failed' }
      const parent = parentOf(reading.place)
      if (!parent) return look(topOf(reading.place))
      const { node, entry } = await follow(pathOf(parent))
      return node ? entryOf(node.children.get(nodes.keyOf(reading.place))) : entry
    },
    async realPath(path) {
      const { node } = await follow(path)
      return node && pathOf(node.place)
    },
    canRead: async (path, kind) => (await findReadable(path, kind)) !== undefined,
    async list(path) {
      const folder = await findReadable(path, 'folder')
      return folder && Array.from(folder.children.values(), ({ place }) => place.names.at(-1)!)
    },
    async readText(path, limit) {
      const file = await findReadable(path, 'file')
      return file && new TextEncoder().encode(file.text).length <= limit ? file.text : undefined
    },
  }
}

function entryOf(node: Node | undefined): DiskEntry {
  if (!node) return { kind: 'missing' }
  return node.kind === 'link' ? { kind: 'link', target: node.text } : { kind: node.kind, identity: node.identity, device: 'described' }
}
