import type { Download } from '../../src/console-api/contract.ts'

/** Hands a file to the browser, which saves it where the person keeps such files. */
export function saveFile({ name, type, text }: Download): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
