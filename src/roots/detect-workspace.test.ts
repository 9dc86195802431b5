import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeDisk, openNodeDisk, type DescribedTree, type Disk } from '../paths/index.ts'
import { detectWorkspace, type Candidate, type DetectOptions } from './detect-workspace.ts'

const HEAD = 'ref: refs/heads/main\n'
/** The three parts of a git folder, spread into a tree. */
function tree({
  git = [],
  dirs = [],
  files = {},
  ...rest
}: Omit<DescribedTree, 'files'> & { readonly git?: readonly string[]; readonly files?: Readonly<Record<string, string>> }): DescribedTree {
  return {
    dirs: [...dirs, ...git.flatMap((folder) => [`${folder}/objects`, `${folder}/refs`])],
    files: { ...files, ...Object.fromEntries(git.map((folder) => [`${folder}/HEAD`, HEAD])) },
    ...rest,
  }
}
function detect(start: string, described: DescribedTree, options: Partial<DetectOptions> = {}): Promise<readonly Candidate[]> {
  return detectWorkspace(start, { disk: describeDisk(described, { platform: 'posix' }), home: '/home/u', ...options })
}
const shown = ([best]: readonly Candidate[]): string => `${best!.path} ${best!.level} ${best!.evidence.map(({ kind }) => kind).join(' ')}`.trim()

test('the nearest checkout is the project, however deep the start, and everything found in it is named', async () => {
  const described = tree({
    git: ['/w/app/.git', '/w/.git'],
    dirs: ['/w/app/.jj', '/w/app/src/lib'],
    files: { '/w/app/package.json': '{}', '/w/app/src/a.ts': '' },
  })

  expect(shown(await detect('/w/app/src/lib', described))).toBe('/w/app ok git jj npm')
  expect(shown(await detect('/w/app/src/a.ts', described))).toBe('/w/app ok git jj npm')
})

test('the others follow, nearest first, and the start itself is last', async () => {
  const described = tree({ git: ['/w/app/.git'], dirs: ['/w/app/web/src'], files: { '/w/app/web/package.json': '{}' } })

  expect(await detect('/w/app/web/src', described)).toEqual([
    {
      path: '/w/app',
      uri: 'file:///w/app',
      name: 'app',
      evidence: [{ kind: 'git', file: '.git' }],
      level: 'ok',
      why: { key: 'holds-evidence', facts: { files: ['.git'] }, sentence: 'It holds .git.' },
    },
    {
      path: '/w/app/web',
      uri: 'file:///w/app/web',
      name: 'web',
      evidence: [{ kind: 'npm', file: 'package.json' }],
      level: 'ok',
      why: { key: 'holds-evidence', facts: { files: ['package.json'] }, sentence: 'It holds package.json.' },
    },
    {
      path: '/w/app/web/src',
      uri: 'file:///w/app/web/src',
      name: 'src',
      evidence: [],
      level: 'confirm',
      why: { key: 'no-evidence', sentence: 'Nothing in it says that it is a project.' },
    },
  ])
})

const worktree = (back: string): DescribedTree =>
  tree({
    git: ['/w/main/.git'],
    dirs: ['/w/feature/src'],
    files: { '/w/feature/.git': 'gitdir: /w/main/.git/worktrees/f\n', '/w/main/.git/worktrees/f/gitdir': back, '/w/package.json': '{}' },
  })
const submodule = (config: string): DescribedTree =>
  tree({
    git: ['/w/app/.git', '/w/app/.git/modules/lib'],
    files: { '/w/app/lib/.git': 'gitdir: ../.git/modules/lib\n', '/w/app/.git/modules/lib/config': config },
  })

test.each<[string, string, DescribedTree, string]>([
  ['a worktree', '/w/feature/src', worktree('/w/feature/.git\n'), '/w/feature ok git-worktree'],
  ['a worktree with a relative pointer', '/w/feature/src', worktree('../../../../feature/.git\n'), '/w/feature ok git-worktree'],
  ['a worktree that is not pointed back to ends the search', '/w/feature/src', worktree('/w/other/.git\n'), '/w/feature/src confirm'],
  ['a submodule', '/w/app/lib', submodule('[core]\n\tbare = false\n\tworktree = ../../../lib\n'), '/w/app/lib ok git-submodule'],
  ['a submodule, quoted and with a comment', '/w/app/lib', submodule('[Core] WorkTree = "../../../li"b ; here\n'), '/w/app/lib ok git-submodule'],
  ['a submodule of another folder', '/w/app/lib', submodule('[core]\nworktree = ../../../other\n'), '/w/app/lib confirm'],
  ['a git folder kept elsewhere', '/w/app/lib', submodule('[core]\nbare = false\n[other]\nworktree = x\n'), '/w/app/lib ok git-separate'],
  ['a pointer to nothing', '/w/x/y', tree({ git: ['/w/.git'], dirs: ['/w/x/y'], files: { '/w/x/.git': 'gitdir: /none\n' } }), '/w/x/y confirm'],
  ['a pointer that is junk', '/w/x', tree({ git: ['/w/.git'], files: { '/w/x/.git': 'git\0dir', '/w/x/go.mod': '' } }), '/w/x ok go'],
  ['an empty .git folder does not end the search', '/w/x', tree({ git: ['/w/.git'], dirs: ['/w/x/.git'] }), '/w ok git'],
  ['a .git folder that cannot be read does not either', '/w/x', tree({ git: ['/w/.git', '/w/x/.git'], unreadable: ['/w/x/.git'] }), '/w ok git'],
  ['a link to a git folder', '/w/x', tree({ git: ['/srv/x.git'], dirs: ['/w/x'], links: { '/w/x/.git': '/srv/x.git' } }), '/w/x ok git'],
])('%s', async (_, start, described, expected) => {
  expect(shown(await detect(start, described))).toBe(expected)
})

test.each<[string, string, Readonly<Record<string, string>>, string]>([
  [
    'a workspace counts its members',
    '/m/packages/a',
    { '/m/package.json': '{"workspaces":["packages/*"]}', '/m/packages/a/package.json': '{}' },
    '/m ok npm-workspaces',
  ],
  ['and no other package', '/m/tools/t', { '/m/package.json': '{"workspaces":["packages/*"]}', '/m/tools/t/package.json': '{}' }, '/m/tools/t ok npm'],
  ['it counts what lies in no package at all', '/m/docs/x', { '/m/pnpm-workspace.yaml': 'packages: []\n', '/m/docs/x/y.md': '' }, '/m ok pnpm-workspace'],
  [
    'the package nearest to the start decides',
    '/m/packages/a/native',
    { '/m/package.json': '{"workspaces":["packages/*"]}', '/m/packages/a/package.json': '{}', '/m/packages/a/native/Cargo.toml': '' },
    '/m/packages/a/native ok cargo',
  ],
  [
    'excluded members are not counted',
    '/m/crates/old',
    { '/m/Cargo.toml': '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n', '/m/crates/old/Cargo.toml': '' },
    '/m/crates/old ok cargo',
  ],
  [
    'the nearest workspace wins',
    '/m/apps/mobile/app',
    { '/m/nx.json': '{}', '/m/apps/mobile/settings.gradle': '', '/m/apps/mobile/app/build.gradle': '' },
    '/m/apps/mobile ok gradle-settings',
  ],
  [
    'a kind is named once',
    '/m',
    { '/m/settings.gradle': '', '/m/settings.gradle.kts': '', '/m/build.gradle': '', '/m/build.gradle.kts': '' },
    '/m ok gradle-settings gradle',
  ],
  ['a description that cannot be read still marks a package', '/m/src', { '/m/package.json': '{', '/m/src/x': '' }, '/m ok npm'],
  [
    'a turbo.json that extends is no workspace',
    '/m/apps/web',
    { '/m/apps/web/turbo.json': '{"extends":["//"]}', '/m/apps/web/package.json': '{}', '/m/turbo.json': '{}' },
    '/m ok turbo',
  ],
  ["installed packages are nobody's project", '/m/node_modules/dep', { '/m/package.json': '{}', '/m/node_modules/dep/package.json': '{}' }, '/m ok npm'],
  ["a folder of a marker's name marks nothing", '/m', { '/m/package.json/x': '' }, '/m confirm'],
])('workspaces and packages: %s', async (_, start, files, expected) => {
  expect(shown(await detect(start, { files }))).toBe(expected)
})

test.each<[string, string, DescribedTree, string]>([
  ['the home folder ends the search', '/home/u/notes', { dirs: ['/home/u/notes'], files: ['/home/u/package.json'] }, '/home/u/notes confirm'],
  ['the home folder itself is shown, its markers do not count', '/home/u', { files: ['/home/u/package.json'] }, '/home/u confirm'],
  ['so does the top', '/w', tree({ git: ['/.git'], dirs: ['/w'] }), '/w confirm'],
  [
    'so does a temporary folder, where it really is',
    '/private/tmp/x',
    { dirs: ['/private/tmp/x'], files: ['/private/tmp/go.mod'], links: { '/tmp': '/private/tmp' } },
    '/private/tmp/x confirm',
  ],
  ['so does a folder that cannot be listed', '/w/app/src', tree({ git: ['/w/.git'], dirs: ['/w/app/src'], unreadable: ['/w/app'] }), '/w/app/src confirm'],
  ['links are resolved first', '/w/app/data', tree({ git: ['/w/app/.git'], dirs: ['/data/set'], links: { '/w/app/data': '/data/set' } }), '/data/set confirm'],
  ['a repository of the system needs a second look', '/etc/nginx', tree({ git: ['/etc/.git'], dirs: ['/etc/nginx'] }), '/etc confirm git'],
  ['a missing folder is named as it was typed', '/w/../gone/', {}, '/w/../gone/ block'],
  ['a link to nothing too', '/l', { links: { '/l': '/none' } }, '/l block'],
  ['a relative start is nothing', 'w', { dirs: ['/w'] }, 'w block'],
  ['a folder that cannot be listed is not given', '/w/x', { unreadable: ['/w/x'] }, '/w/x block'],
  ['nor the top', '/', {}, '/ block'],
  ['nor the insides of the system', '/proc/1', { dirs: ['/proc/1'] }, '/proc/1 block'],
  ['nor a git folder', '/w/app.git', tree({ git: ['/w/app.git'] }), '/w/app.git block git-dir'],
  ['nor what lies in one', '/w/app/.git/hooks', tree({ git: ['/w/app/.git'], dirs: ['/w/app/.git/hooks'] }), '/w/app/.git/hooks block git-dir'],
])('bounds: %s', async (_, start, described, expected) => {
  expect(shown(await detect(start, described))).toBe(expected)
})

test('the search ends at a ceiling, and where another device begins', async () => {
  const described = tree({ git: ['/w/.git'], dirs: ['/w/a/b/c'] })
  const disk = describeDisk(described, { platform: 'posix' })
  const mounted: Disk = {
    ...disk,
    inspect: async (path) => {
      const entry = await disk.inspect(path)
      return 'device' in entry && path.split('/').length > 3 ? { ...entry, device: 'usb' } : entry
    },
  }

  expect(shown(await detect('/w/a/b/c', described, { ceilings: ['/w/a', 'relative'] }))).toBe('/w/a/b/c confirm')
  expect(shown(await detect('/w/a/b/c', described, { disk: mounted }))).toBe('/w/a/b/c confirm')
})

test('forty levels deep on a real disk, the project is found without haste', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'detect-')))
  const start = join(base, ...Array.from({ length: 40 }, (_, level) => `level-${level}`))
  mkdirSync(start, { recursive: true })
  writeFileSync(join(base, 'Cargo.toml'), '[workspace]\n')
  try {
    const [best] = await detectWorkspace(start, { disk: openNodeDisk(), home: '/home/u' })

    expect(best).toMatchObject({ path: base, evidence: [{ kind: 'cargo-workspace', file: 'Cargo.toml' }] })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
})
