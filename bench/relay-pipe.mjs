// The least that a relay in Node can be: bytes in, bytes out.
import { spawn } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
// In a session of its own, as a wrap starts it: Linux shares out a busy machine by sessions.
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.on('exit', (code) => process.exit(code ?? 1))
