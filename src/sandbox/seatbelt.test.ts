import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { thisMachine, type Machine, type ShortRun } from './machine.ts'
import { holdServer } from './sandbox.ts'
import { writeProfile, type SeatbeltProfile } from './seatbelt-profile.ts'
import type { HeldCommand, Layout } from './boundary.ts'

type Term = string | readonly Term[]

/** Reads the profile as its own language does: lists and words. */
function readTerms(text: string): readonly Term[] {
  const stack: Term[][] = [[]]
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g)) {
    if (token === '(') stack.push([])
    else if (token !== ')') stack.at(-1)!.push(token)
    else {
      const ended = stack.pop()!
      stack.at(-1)!.push(ended)
    }
  }
  if (stack.length !== 1) throw new Error('the lists of the profile do not close')
  return stack[0]!
}

/** Whether a profile allows an operation at a path: of the rules that name it, or all of its kind, the last that fits decides. */
function allows({ text, parameters }: SeatbeltProfile, operation: string, path: string): boolean {
  const valueOf = (term: Term): string =>
    typeof term === 'string' ? term.slice(1, -1) : (parameters.get(valueOf(term[1]!)) ?? expect.fail('a parameter is missing'))
  let verdict = false
  for (const rule of readTerms(text)) {
    if (typeof rule === 'string' || (rule[0] !== 'allow' && rule[0] !== 'deny')) continue
    const operations = rule.filter((term) => typeof term === 'string').slice(1)
    const filters = rule.filter((term) => typeof term !== 'string')
    const names = operations.some((one) => one === operation || (one.endsWith('*') && operation.startsWith(one.slice(0, -1))))
    const fits = filters.some(([kind, value]) => {
      if (kind !== 'subpath' && kind !== 'literal') return false
      const place = valueOf(value!)
      return path === place || (kind === 'subpath' && path.startsWith(`${place}/`))
    })
    if (names && fits) verdict = rule[0] === 'allow'
  }
  return verdict
}

const layout: Layout = {
  roots: [
    { path: '/Users/me/work', access: 'read-write' },
    { path: '/Users/me/work/docs/kept', access: 'read' },
    { path: '/Users/me/reading', access: 'read' },
    { path: '/Users/me/reading/notes', access: 'read-write' },
    { path: '/Users/me/all', access: 'read-write' },
  ],
  readable: ['/usr/lib', '/Users/me/server'],
  identities: new Map(),
  hidden: ['/Users/me/all/.ssh'],
  cwd: undefined,
  home: undefined,
}

describe('the profile for macOS', () => {
  const profile = writeProfile(layout, { isOffline: false, temporary: '/private/tmp/own' })
  const can = (path: string): string =>
    [
      ['file-read-data', 'r'],
      ['file-write-data', 'w'],
      ['process-exec', 'x'],
      ['file-write-unlink', 'm'],
    ]
      .map(([operation, letter]) => (allows(profile, operation!, path) ? letter : '-'))
      .join('')

  test.each([
    ['/Users/me/work/file', 'rwxm'],
    ['/Users/me/work', 'rwx-'],
    ['/Users/me/work/docs', 'rwx-'],
    ['/Users/me/work/docs/other', 'rwxm'],
    ['/Users/me/work/docs/kept', 'r-x-'],
    ['/Users/me/work/docs/kept/file', 'r-x-'],
    ['/Users/me/workshop/file', '----'],
    ['/Users/me/reading/file', 'r-x-'],
    ['/Users/me/reading/notes/file', 'rwxm'],
    ['/Users/me/all/file', 'rwxm'],
    ['/Users/me/all/.ssh/id_rsa', '----'],
    ['/Users/me/all/.ssh', '----'],
    ['/Users/me/server/server.js', 'r-x-'],
    ['/usr/lib/dyld', 'r-x-'],
    ['/private/tmp/own/file', 'rwxm'],
    ['/private/tmp/other', '----'],
    ['/Users/me/.ssh/id_rsa', '----'],
    ['/Users/me', '----'],
    ['/etc/passwd', '----'],
    ['/dev/null', 'rw--'],
  ])('gives %s: %s', (path, expected) => {
    expect(can(path)).toBe(expected)
  })

  test('shows of the folders above no more than that they are there', () => {
    expect(['/Users', '/Users/me', '/private/tmp', '/Users/you', '/Users/me/.ssh'].map((path) => allows(profile, 'file-read-metadata', path))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('has the network and no socket that is a file, or nothing of either', () => {
    const online = profile.text
    const offline = writeProfile(layout, { isOffline: true, temporary: '/private/tmp/own' }).text

    expect(online.indexOf('(deny network-outbound (remote unix-socket))')).toBeGreaterThan(online.indexOf('(allow network*)'))
    expect([offline.includes('network'), offline.includes('socket'), online.includes('SecurityServer')]).toEqual([false, false, false])
  })

  test('holds no path in its text: what a path says is said by a parameter', () => {
    const hostile = ['/Users/me/a"))(allow file-read* (subpath "/', '/Users/me/b\n(allow default)', '/Users/me/c\\', '/Users/me/d=e;#|', "/Users/me/'$(f)"]
    const { text, parameters } = writeProfile(
      { roots: hostile.map((path) => ({ path, access: 'read' })), readable: [], identities: new Map(), hidden: [], cwd: undefined, home: undefined },
      { isOffline: true, temporary: '/private/tmp/own' },
    )

    expect(readTerms(text).length).toBeGreaterThan(10)
    expect([
      text.includes('Users'),
      hostile.every((path) => [...parameters.values()].includes(path)),
      [...parameters.keys()].every((name) => /^PATH_\d+$/.test(name)),
    ]).toEqual([false, true, true])
  })
})

describe.runIf(process.platform === 'linux')('on macOS, as far as another system can tell', () => {
  let base = ''
  const at = (name: string): string => join(base, name)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'seatbelt-')))
    const made = base
    onTestFinished(() => rmSync(made, { recursive: true, force: true }))
    for (const folder of ['root', 'reading', 'home', 'state']) mkdirSync(at(folder))
    writeFileSync(at('home/private'), 'private')
  })

  /** A Mac whose sandbox does what it is told here. */
  function macWith(sandboxExec: (command: readonly string[], parameters: readonly string[]) => Promise<ShortRun | undefined>): Machine {
    return {
      ...thisMachine,
      platform: 'darwin',
      run(command, args) {
        if (command !== '/usr/bin/sandbox-exec') return thisMachine.run(command, args)
        const [flag, , ...rest] = args
        if (flag !== '-p') throw new Error('no profile')
        const parameters: string[] = []
        while (rest[0] === '-D') parameters.push(rest.splice(0, 2)[1]!)
        return sandboxExec(rest, parameters)
      },
    }
  }

  const hold = (machine: Machine): Promise<HeldCommand> =>
    holdServer(
      { command: '/bin/sh', args: ['-c', 'true'], env: { PATH: '/usr/bin:/bin', DYLD_INSERT_LIBRARIES: 'x', SSH_AUTH_SOCK: '/agent' } },
      {
        roots: [
          { path: at('root'), access: 'read-write' },
          { path: at('reading'), access: 'read' },
        ],
        readable: [],
        isOffline: false,
        home: at('home'),
        state: at('state'),
      },
      { machine },
    )

  /** What a sandbox that holds would do, done by bubblewrap. */
  const holding = (command: readonly string[], parameters: readonly string[]): Promise<ShortRun | undefined> => {
    const own = parameters.map((parameter) => parameter.replace(/^PATH_\d+=/, '')).find((path) => path.includes('consentry-sandbox-'))!
    const system = ['/usr', '/bin', '/lib', '/lib64'].filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path])
    return thisMachine.run('/usr/bin/bwrap', [
      '--dev',
      '/dev',
      ...system,
      '--bind',
      own,
      own,
      '--bind',
      at('root'),
      at('root'),
      '--ro-bind',
      at('reading'),
      at('reading'),
      '--',
      ...command,
    ])
  }

  test('a server is started where nothing goes through in the probe, under the very rules that were tried', async () => {
    const seen: string[][] = []
    const held = await hold(
      macWith((command, parameters) => {
        seen.push([...parameters])
        return holding(command, parameters)
      }),
    )
    onTestFinished(() => held.close())

    expect([held.command, held.args[0], held.args.slice(-3), held.env['SSH_AUTH_SOCK']]).toEqual([
      '/usr/bin/sandbox-exec',
      '-p',
      ['/bin/sh', '-c', 'true'],
      undefined,
    ])
    expect(held.args.filter((_, index) => held.args[index - 1] === '-D')).toEqual(seen[0])
    expect(held.says.join('\n')).toContain('no Mac was there to test it on')
    held.close()
    expect([existsSync(held.env['TMPDIR']!), readdirSync(at('root')), readdirSync(at('reading'))]).toEqual([false, [], []])
  })

  test.each([
    [
      'holds nothing',
      (command: readonly string[]) => thisMachine.run(command[0]!, command.slice(1)),
      /could read, list, make, write, link, move, .*write to .*reading, list .*home, list .*state/,
    ],
    ['is not there', () => Promise.resolve(undefined), /not here/],
    ['cannot read its profile', () => Promise.resolve({ code: 65, output: 'sandbox-exec: unbound variable' }), /unbound variable/],
    ['lets nothing run', () => Promise.resolve({ code: 0, output: '' }), /cannot work here/],
    [
      'says that it holds, and does not',
      (command: readonly string[]) => {
        rmSync(join(command[4]!, 'kept'))
        return Promise.resolve({ code: 0, output: 'works' })
      },
      /change a file outside/,
    ],
  ] as const)('no server is started where the sandbox %s', async (_, sandboxExec, reason) => {
    const made: string[] = []
    const mac = macWith(sandboxExec)
    const machine: Machine = {
      ...mac,
      makeTemporary() {
        const temporary = mac.makeTemporary()
        made.push(temporary.path)
        return temporary
      },
    }

    await expect(hold(machine)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE', message: expect.stringMatching(reason) })
    expect([made.length, made.filter((path) => existsSync(path))]).toEqual([2, []])
    expect([readdirSync(at('reading')), readFileSync(at('home/private'), 'utf8')]).toEqual([[], 'private'])
  })
})
