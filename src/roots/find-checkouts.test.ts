import { expect, test } from 'vitest'
import { describeDisk } from '../paths/index.ts'
import { findRepository } from './find-checkouts.ts'

/** A disk with git folders and text files. */
function find(
  folder: string,
  git: readonly string[],
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const tree = {
    dirs: git.flatMap((path) => [`${path}/objects`, `${path}/refs`]),
    files: { ...files, ...Object.fromEntries(git.map((path) => [`${path}/HEAD`, 'ref: refs/heads/main'])) },
    links,
  }
  return findRepository(folder, describeDisk(tree, { platform: 'posix' }))
}

const worktree = { '/w/tree/.git': 'gitdir: /w/main/.git/worktrees/t', '/w/main/.git/worktrees/t/gitdir': '/w/tree/.git' }

test.each<[string, ReturnType<typeof find>, string | undefined]>([
  ['of a worktree is the whole one that it belongs to', find('/w/tree', ['/w/main/.git'], worktree), '/w/main/.git'],
  ['is found through a link to the worktree', find('/w/link', ['/w/main/.git'], worktree, { '/w/link': 'tree' }), '/w/main/.git'],
  [
    'of a submodule is its own part of the outer one',
    find('/w/app/lib', ['/w/app/.git', '/w/app/.git/modules/lib'], {
      '/w/app/lib/.git': 'gitdir: ../.git/modules/lib',
      '/w/app/.git/modules/lib/config': '[core]\nworktree = ../../../lib',
    }),
    '/w/app/.git/modules/lib',
  ],
  ['is not looked for where git keeps it in the folder', find('/w/main', ['/w/main/.git'], worktree), undefined],
  ['is none where it does not point back', find('/w/tree', ['/w/main/.git'], { ...worktree, '/w/main/.git/worktrees/t/gitdir': '/w/other/.git' }), undefined],
  ['is none where nothing says that it is the repository of this folder', find('/w/tree', ['/srv/other'], { '/w/tree/.git': 'gitdir: /srv/other' }), undefined],
  [
    'is none where a server made its own folder look like a worktree of the folder around it',
    find('/home/u/worktrees', [], { '/home/u/worktrees/.git': 'gitdir: /home/u/worktrees/a', '/home/u/worktrees/a/gitdir': '/home/u/worktrees/.git' }),
    undefined,
  ],
])('a repository that git keeps elsewhere %s', async (_, found, expected) => {
  expect(await found).toBe(expected)
})
