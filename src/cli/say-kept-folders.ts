import type { KeptFoldersReport } from '../roots/index.ts'

const MOST_SHOWN = 3

/**
 * Says of a server that goes on in folders that it should know no longer what is done about it where nobody was asked.
 *
 * @param option what can be said beforehand where we were started, to have it started afresh
 */
export function sayKeptFolders(server: string, { reason, known, done, fault }: KeptFoldersReport, option?: string): string {
  const folders = `${known.slice(0, MOST_SHOWN).join(', ')}${known.length > MOST_SHOWN ? ` and ${known.length - MOST_SHOWN} more` : ''}`
  const found = {
    'none-told': `${server} knew ${folders}, and is told no folder any more; not every server lets go of what it had`,
    'never-reread': `${server} was told that its folders have changed, and has not read them again: it goes on with ${folders || 'none'}`,
    'at-start': `${server} was started with ${folders || 'no folders'}, and its folders are others now: it has them only after a fresh start`,
    gone: `${server} is told no folder now, because none of those that it knows (${folders}) is there; one that keeps its list would work in what takes their place`,
  }[reason]
  const afresh = option === undefined ? '' : `; ${option} has it started afresh`
  const alone =
    reason === 'gone'
      ? 'Where that matters, start it afresh, or take them out with consentry roots remove'
      : `${fault ? 'It may go on there: nothing that runs is ended for it' : 'Nobody is there to ask, and nothing that runs is ended without that'}${afresh}`
  const outcome = {
    'stand-in': `It is told an empty folder in their place${afresh}`,
    restart: 'It is started afresh, as you said',
    leave: 'It is left as it is, as you said',
    nothing: alone,
  }[done]
  const not = { asking: 'Nobody could be asked', 'stand-in': 'No empty folder could be told in their place', remembering: 'That holds for this time only' }
  const why = fault && `${not[fault.of]}: ${fault.message.replace(/\.$/, '')}`
  return [found, ...(fault?.of === 'remembering' ? [outcome, why] : [why, outcome])].filter((part) => part !== undefined).join('. ')
}
