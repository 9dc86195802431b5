export type { Anchor, EntryKind, FileAccess, FileRights, FolderEntry, ObjectFacts, OpenFile } from './anchor.ts'
export { boundDisk, type BoundOptions } from './bounded-disk.ts'
export { checkContainment } from './check-containment.ts'
export { memberOf, optionalText, readDisk, requireOneOf, requireText } from './check-input.ts'
export { denials, isNoPath, judgePath, type ContainmentQuestion, type Denial, type GrantedRoot, type Operation, type Verdict } from './containment.ts'
export { describeDisk } from './described-disk.ts'
export type { DescribedTree, DescribedVolume } from './described-tree.ts'
export type { Disk, DiskEntry, DiskFault, DiskObject } from './disk.ts'
export { readRootPath, readRootUri, type RootReading } from './file-uri.ts'
export { folderConcerns, judgeFolder, type FolderConcern, type FolderLevel, type Judgement, type Surroundings } from './levels.ts'
export { countHangingCalls } from './hanging-calls.ts'
export { holdWithin, isInside, type HeldRoot, type HoldNeeds, type HoldOutcome, type HoldQuestion } from './hold-within.ts'
export { mapRoot, readForeignUri, type RootMapping } from './map-root.ts'
export { openNodeDisk } from './node-disk.ts'
export { pathProblems, type PathProblem, type Refusal } from './path-problem.ts'
export {
  isSamePlace,
  isTop,
  isWithin,
  nameOf,
  namesIn,
  parentOf,
  pathOf,
  placeAt,
  placeBelow,
  readPlace,
  resolveDots,
  type Place,
  type PlaceReading,
  type Platform,
} from './place.ts'
export { guaranteeHere, openAnchor, type GuaranteeLevel } from './open-anchor.ts'
