import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AttackScene, no, ways, type Attempt } from '../../test/fixtures/held-attacker.ts'
import { thisMachine } from './machine.ts'

const refused = expect.stringMatching(no) as string
/** By the names of Node; those of the calls that every machine numbers differently. */
const calls: Readonly<
  Record<string, { readonly prctl: number; readonly getsid: number; readonly mount: number; readonly toHandle: number; readonly byHandle: number }>
> = {
  x64: { prctl: 157, getsid: 124, mount: 165, toHandle: 303, byHandle: 304 },
  arm64: { prctl: 167, getsid: 156, mount: 40, toHandle: 264, byHandle: 265 },
}
const call = calls[process.arch]
const perl = (code: string): Attempt => ['run', '/usr/bin/perl', '-e', code]

/** The same program, held by nothing: what it can do then is what is taken from it. */
async function unheld(scene: AttackScene, attempts: readonly Attempt[]): Promise<readonly string[]> {
  const args = [scene.at('server/attacker.mjs'), JSON.stringify(attempts)]
  return scene.resultsOf(
    scene.start({ command: process.execPath, args, env: { PATH: process.env['PATH'] ?? '' }, says: [], roots: [], granted: [], close: () => undefined }),
  )
}

describe.runIf(process.platform === 'linux').each(ways)('held by $name, a server', ({ only, machine }) => {
  const isBubblewrap = only === 'bubblewrap'

  test('reaches no other process of its user: no memory, no variables, no open files, no signals', async () => {
    const scene = new AttackScene()
    const victim = spawn('sleep', ['600'], { env: { SECRET: 'kept from it' }, stdio: 'ignore' })
    onTestFinished(() => void victim.kill('SIGKILL'))
    await once(victim, 'spawn')
    const attempts: readonly Attempt[] = [
      ['read', `/proc/${victim.pid}/environ`],
      ['list', `/proc/${victim.pid}/fd`],
      ['read', `/proc/${victim.pid}/maps`],
      ['run', '/bin/sh', '-c', `kill -0 ${victim.pid} && echo reached`],
    ]
    const [free, held] = [await unheld(scene, attempts), await scene.run(await scene.hold(attempts, { only, machine }))]

    expect([free[0]!.includes('kept from it'), free[3]]).toEqual([true, 'reached'])
    expect(held.slice(0, 3)).toEqual([refused, refused, refused])
    expect(held[3]).not.toBe('reached')
  })

  test('finds neither what others share in memory nor a terminal to type into', async () => {
    const scene = new AttackScene()
    const shared = `/dev/shm/${scene.folder.split('/').at(-1)}`
    writeFileSync(shared, 'kept from it')
    onTestFinished(() => rmSync(shared, { force: true }))
    const attempts: readonly Attempt[] = [
      ['read', shared],
      ['list', '/dev/pts'],
      ['read', '/dev/tty'],
    ]
    const [free, held] = [await unheld(scene, attempts), await scene.run(await scene.hold(attempts, { only, machine }))]

    expect(free[0]).toBe('kept from it')
    expect(held).toEqual([refused, isBubblewrap ? 'ptmx' : refused, expect.stringMatching(isBubblewrap ? /^ENXIO$/ : no)])
  })

  test.runIf(call !== undefined)('gains no rights: not by programs that run as their owner, not by mounts, not by handles of files', async () => {
    const scene = new AttackScene()
    const { prctl, mount, toHandle, byHandle } = call!
    // A handle is as good as a name for whoever may use it: root may.
    const handle = `my ($path, $near) = ("${scene.at('outside/secret')}", "${scene.at('reading')}"); my $handle = pack("L l a128", 128, 0, ""); my $mount = pack("i", 0);
      syscall(${toHandle}, -100, $path, $handle, $mount, 0) == 0 or die "no handle"; sysopen my $folder, $near, 0 or die "no folder";
      my $file = syscall(${byHandle}, fileno($folder), $handle, 0); die "refused" if $file < 0; open my $text, "<&=", $file or die "not opened"; print <$text>`
    const attempts: readonly Attempt[] = [
      perl(`print syscall(${prctl}, 39, 0, 0, 0, 0)`),
      perl(
        `my ($what, $where, $kind) = ("none", "${scene.at('root')}", "tmpfs"); print syscall(${mount}, $what, $where, $kind, 0, 0) == 0 ? "mounted" : "refused"`,
      ),
      perl(handle),
    ]
    const [, , free] = process.getuid?.() === 0 ? await unheld(scene, [['await'], ['await'], perl(handle)]) : []
    const [rights, mounted, opened] = await scene.run(await scene.hold(attempts, { only, machine }))

    expect([rights, mounted]).toEqual(['1', 'refused'])
    expect([free ?? 'kept from it', opened!.includes('kept from it')]).toEqual(['kept from it', false])
  })

  test('cannot uncover what is hidden in its folders by a namespace of its own', async () => {
    const scene = new AttackScene()
    for (const folder of ['home/.ssh', 'home/work']) mkdirSync(scene.at(folder))
    writeFileSync(scene.at('home/.ssh/id_rsa'), 'kept from it')
    writeFileSync(scene.at('state/keys'), 'kept from it')
    const hidden = [scene.at('home/.ssh'), scene.at('state')]
    const script = hidden.map((path) => `umount -l ${path}; mount -t tmpfs none ${path}; cat ${path}/*`).join('; ')
    const attempts: readonly Attempt[] = [
      ['run', '/bin/sh', '-c', `${script}; true`],
      ['run', '/bin/sh', '-c', `unshare -Urm /bin/sh -c '${script}'; true`],
      ['run', '/bin/sh', '-c', `unshare -Urmp --fork /bin/sh -c 'mount -t proc proc /proc; ls /proc/1/root/..; ${script}'; true`],
    ]
    const holding = scene.hold(attempts, { only, machine }, { roots: [{ path: scene.folder, access: 'read-write' }] })
    if (!isBubblewrap) return expect(holding).rejects.toThrow('keep')

    expect((await scene.run(await holding)).filter((result) => result.includes('kept from it'))).toEqual([])
  })

  test('talks to sockets without a file only where that is said', async () => {
    const scene = new AttackScene()
    const name = `\0${scene.folder}`
    let knocks = 0
    const server = createServer((socket) => {
      knocks += 1
      socket.on('error', () => undefined).end()
    })
    server.listen(name)
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const held = await scene.hold([['connect', name]], { only, machine })
    const results = [...(await scene.run(held))]
    const isOpen = held.says.some((sentence) => /sockets without a file (?:included|are open)/.test(sentence))
    if (isBubblewrap) results.push(...(await scene.run(await scene.hold([['connect', name]], { only, machine }, { isOffline: true }))))

    expect(results).toEqual([isOpen ? 'connected' : expect.stringMatching(/^E(?:PERM|ACCES|CONNREFUSED)$/), ...(isBubblewrap ? ['ECONNREFUSED'] : [])])
    expect(knocks).toBe(isOpen ? 1 : 0)
  })
})

test.runIf(process.platform === 'linux' && call !== undefined)(
  'held by bubblewrap it is in a session of its own, in which no terminal of ours is',
  async () => {
    const scene = new AttackScene()

    // The session of a process outside is no number in there.
    expect(await scene.run(await scene.hold([perl(`print syscall(${call!.getsid}, 0)`)], { only: 'bubblewrap', machine: thisMachine }))).not.toEqual(['0'])
  },
)
