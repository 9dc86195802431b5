// Measures what the project promises, as ratios within this run. Exit code 1 if a limit is passed.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { measureAnswer } from './answer-time.mjs'
import { measureCallCpu } from './call-cpu.mjs'
import { measureConsole } from './console-speed.mjs'
import { measureForms } from './forms-speed.mjs'
import { measureInbox } from './inbox-size.mjs'
import { measureHttpRelay } from './relay-http.mjs'
import { measureRelay } from './relay-time.mjs'
import { measureRoots } from './roots-speed.mjs'
import { measureSampling } from './sampling-speed.mjs'
import { measureSandboxRestart } from './sandbox-restart.mjs'
import { measureServerKit } from './server-kit-speed.mjs'

setFlagsFromString('--expose-gc')
globalThis.gc = runInNewContext('gc')

const results = [
  measureCallCpu(),
  await measureAnswer(),
  await measureForms(),
  await measureInbox(),
  await measureRoots(),
  await measureSampling(),
  await measureServerKit(),
  await measureSandboxRestart(),
  ...(await measureRelay()),
  ...(await measureHttpRelay()),
  await measureConsole(),
]
process.exitCode = results.every(Boolean) ? 0 : 1
