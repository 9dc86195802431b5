/**
 * Both launchers take `version`, and print that of the kernel's Landlock; or: the number of prctl on this machine, the rights that are given up, the scopes, how many
 * rules and how many variables follow, for each rule its rights, its path and device and inode of what it is for (nothing: whatever lies there), for each variable its name and
 * its value, and then the command. They let go of what was left open for them, restrict themselves, and become the command: nothing of them remains. A rule whose path is not
 * there, or leads to something else by now, grants nothing. What fails ends them with 126, and the server has not run.
 *
 * @see landlock(7)
 */
export const perlLauncher = `use strict;
sub fail { print STDERR "consentry: the sandbox cannot be set up: $_[0]: $!\\n"; exit 126 }
if ($ARGV[0] eq 'version') { print syscall(444, 0, 0, 1); exit 0 }
my ($prctl, $known, $scopes, $count, $variables) = map { $_ + 0 } splice @ARGV, 0, 5;
my @left;
if (opendir my $list, '/proc/self/fd') { @left = grep { /^[0-9]+$/ && $_ > 2 } readdir $list }
for (@left) { if (open my $one, '<&=', $_) { close $one } }
my $attributes = pack 'QQQ', $known, 0, $scopes;
my $ruleset = syscall 444, $attributes, $scopes ? 24 : 8, 0;
fail('ruleset') if $ruleset < 0;
for (1 .. $count) {
  my ($access, $path, $object) = splice @ARGV, 0, 3;
  sysopen my $held, $path, 0x200000 or next;
  if ($object ne '') { my ($device, $inode) = stat $held; next if "$device:$inode" ne $object }
  $access = $access + 0;
  $access &= 0xc007 unless -d $held;
  my $rule = pack 'Ql', $access, fileno $held;
  fail("rule for $path") if syscall(445, $ruleset, 1, $rule, 0) < 0;
}
fail('prctl') if syscall($prctl, 38, 1, 0, 0, 0) != 0;
fail('restrict') if syscall(446, $ruleset, 0) != 0;
for (1 .. $variables) { my ($name, $value) = splice @ARGV, 0, 2; $ENV{$name} = $value }
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);`

/** What the launcher in Node uses of koffi. */
interface Koffi {
  load(library: null): { func(declaration: string): (...values: unknown[]) => number }
  errno(): number
}

/** The same in Node, for systems without Perl. It is sent as text: it may use nothing from outside of itself. */
export function launchHeld(load: (name: string) => unknown, koffiPath: string, args: string[]): void {
  const koffi = load(koffiPath) as Koffi
  const { closeSync, fstatSync, openSync, readdirSync } = load('fs') as {
    closeSync: (file: number) => void
    fstatSync: (file: number, options: { bigint: true }) => { isDirectory: () => boolean; dev: bigint; ino: bigint }
    openSync: (path: string, flags: number) => number
    readdirSync: (path: string) => string[]
  }
  const library = koffi.load(null)
  const create = library.func('long syscall(long number, void *attributes, size_t size, long flags)')
  const addRule = library.func('long syscall(long number, long ruleset, long kind, void *rule, long flags)')
  const restrict = library.func('long syscall(long number, long ruleset, long flags)')
  const prctl = library.func('int prctl(int option, unsigned long two, unsigned long three, unsigned long four, unsigned long five)')
  const setFlags = library.func('int fcntl(int file, int command, int flags)')
  const setVariable = library.func('int setenv(const char *name, const char *value, int overwrite)')
  const become = library.func('int execv(const char *path, const char **args)')
  const fail = (what: string): never => {
    process.stderr.write(`consentry: the sandbox cannot be set up: ${what}: error ${koffi.errno()}\n`)
    return process.exit(126)
  }
  if (args[0] === 'version') {
    process.stdout.write(String(create(444, null, 0, 1)))
    return
  }
  const [known, scopes, count, variables] = args.splice(0, 5).slice(1).map(BigInt) as [bigint, bigint, bigint, bigint]
  const ruleset = create(444, new BigUint64Array([known, 0n, scopes]), scopes > 0n ? 24 : 8, 0)
  if (ruleset < 0) fail('ruleset')
  for (let rule = 0n; rule < count; rule += 1n) {
    const [access, path, object] = args.splice(0, 3) as [string, string, string]
    let held: number
    try {
      held = openSync(path, 0x20_0000)
    } catch {
      continue
    }
    const stats = fstatSync(held, { bigint: true })
    const bytes = Buffer.alloc(12)
    bytes.writeBigUInt64LE(stats.isDirectory() ? BigInt(access) : BigInt(access) & 0xc007n)
    bytes.writeInt32LE(held, 8)
    const isIt = object === '' || object === `${stats.dev}:${stats.ino}`
    if (isIt && addRule(445, ruleset, 1, bytes, 0) < 0) fail(`rule for ${path}`)
    closeSync(held)
  }
  // 2 sets the flags of a descriptor, and 1 is the flag that ends it with exec: Node has set it on the first three, which are the server's.
  for (const name of readdirSync('/proc/self/fd')) setFlags(Number(name), 2, Number(name) > 2 ? 1 : 0)
  if (prctl(38, 1, 0, 0, 0) !== 0) fail('prctl')
  if (restrict(446, ruleset, 0) !== 0) fail('restrict')
  for (let variable = 0n; variable < variables; variable += 1n) {
    const [name, value] = args.splice(0, 2) as [string, string]
    setVariable(name, value, 1)
  }
  become(args[0]!, [...args, null])
  fail(args[0]!)
}
