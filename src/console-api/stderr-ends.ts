import { cutBeginning } from '../audit/cut-beginning.ts'
import { redact, redactBeginning } from '../audit/redact.ts'

const LINES = 200
const LONGEST_LINE = 2_000
/** Characters of one process that are kept, at least, where it has written as many; twice that before it is cut. */
const KEPT = 128 * 1024
/** Processes whose ends are kept. */
const PROCESSES = 8

/**
 * The ends of what the processes of one server wrote to their stderr. They are kept as they came, cut so that no secret is cut apart, and masked whenever somebody
 * looks: a flood costs next to nothing.
 */
export class StderrEnds {
  /** By connection, the latest to write last. */
  readonly #texts = new Map<string | undefined, string>()

  add(text: string, connection: string | undefined): void {
    const whole = (this.#texts.get(connection) ?? '') + text
    this.#texts.delete(connection)
    this.#texts.set(connection, whole.length > 2 * KEPT ? cutBeginning(whole, KEPT) : whole)
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= PROCESSES) break
      this.#texts.delete(oldest)
    }
  }

  /** The last lines, oldest first, each process's by themselves, with secrets masked and long lines cut. */
  lines(): readonly string[] {
    let lines: string[] = []
    for (const text of [...this.#texts.values()].toReversed()) {
      if (lines.length >= LINES) break
      const latest = redact(text).split('\n')
      if (latest.at(-1) === '') latest.pop()
      lines = [...latest.slice(-LINES), ...lines]
    }
    return lines.slice(-LINES).map((line) => redactBeginning(line, LONGEST_LINE))
  }
}
