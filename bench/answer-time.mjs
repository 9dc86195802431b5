// One answered question through Host and ScriptedDesk, against the same question answered by a direct SDK handler, in the same run.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createScriptedDesk, Host } from '../dist/lib/index.js'
import { createScriptedServer, formQuestion } from '../dist/lib/testing.js'
import { median, verdict } from './report.mjs'

const ROUNDS = 400
const WARM_UP = 50
const LIMIT_MS = 1
