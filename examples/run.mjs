// Runs an example as it stands here: npm run example embed-host
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'

// What exports something is for the others, and does nothing by itself.
const isExample = (file) => file.endsWith('.ts') && !/^export /m.test(readFileSync(join(import.meta.dirname, file), 'utf8'))
const names = readdirSync(import.meta.dirname)
  .filter(isExample)
  .map((file) => file.slice(0, -3))
const name = process.argv[2]
if (!names.includes(name)) {
  console.error(`usage: npm run example NAME, with one of: ${names.join(', ')}`)
  process.exit(2)
}
// It sees the arguments that it would see by itself.
const file = join(import.meta.dirname, `${name}.ts`)
process.argv.splice(1, 2, file)
await runnerImport(file)
