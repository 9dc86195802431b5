/** @returns a function that gives back each name as it is the first time, and with a number behind it when it is taken. In constant time, however many are alike. */
export function createUniqueNames(taken: Iterable<string>): (name: string) => string {
  const used = new Set(taken)
  const next = new Map<string, number>()
  return (name) => {
    let number = next.get(name) ?? 2
    let unique = name
    while (used.has(unique)) unique = `${name}-${number++}`
    next.set(name, number)
    used.add(unique)
    return unique
  }
}
