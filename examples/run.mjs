// Runs an example as it stands here: npm run example embed-host
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'

const names = readdirSync(import.meta.dirname).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
const name = process.argv[2]
if (!names.includes(name)) {
  console.error(`usage: npm run example NAME, with one of: ${names.join(', ')}`)
  process.exit(2)
}
// It sees the arguments that it would see by itself.
const file = join(import.meta.dirname, `${name}.ts`)
process.argv.splice(1, 2, file)
await runnerImport(file)
