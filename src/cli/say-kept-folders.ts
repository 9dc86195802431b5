import type { KeptFoldersReport } from '../protocol/index.ts'

/** What whoever reads about a server that keeps its folders can do. */
export interface WaysOn {
  /** Questions wait at a desk; else whoever reads this is asked where they read it. */
  readonly isAtDesk: boolean
  /** What can be said beforehand where the server was started, to have it started afresh. */
  readonly option?: string | undefined
}

const MOST_SHOWN = 3

/** Says of a server that goes on in folders that it should know no longer what was done about it, and what else can be. */
export function sayKeptFolders(
  server: string,
  { reason, known, done, isAsked, fault }: KeptFoldersReport,
  { isAtDesk, option }: WaysOn = { isAtDesk: false },
): string {
  const folders = `${known.slice(0, MOST_SHOWN).join(', ')}${known.length > MOST_SHOWN ? ` and ${known.length - MOST_SHOWN} more` : ''}`
  const found = {
    'none-told': `${server} knew ${folders}, and is told no folder any more; not every server lets go of what it had`,
    'never-reread': `${server} was told that its folders have changed, and has not read them again: it goes on with ${folders || 'none'}`,
    'at-start': `${server} was started with ${folders || 'no folders'}, and its folders are others now: it has them only after a fresh start`,
    gone: `${server} is told no folder now, because none of those that it knows (${folders}) is there; one that keeps its list would work in what takes their place`,
  }[reason]
  const asker = isAtDesk ? 'the desk asks what is to be done (consentry up shows it)' : 'you are asked what is to be done'
  const asks = isAsked ? `; ${asker}` : ''
  const afresh = option === undefined ? '' : `; ${option} has it started afresh`
  const alone =
    reason === 'gone'
      ? 'Where that matters, start it afresh, or take them out with consentry roots remove'
      : isAsked
        ? `It may go on there until somebody decides, because nothing that runs is ended without that: ${asker}`
        : fault
          ? 'It may go on there: nothing that runs is ended for it'
          : 'Nobody is there to ask, and nothing that runs is ended without that'
  const outcome = {
    'stand-in': `It is told an empty folder in their place${asks}${afresh}`,
    restart: 'It is started afresh, as you said',
    leave: 'It is left as it is, as you said',
    nothing: `${alone}${reason === 'gone' ? '' : afresh}`,
  }[done]
  const not = {
    asking: 'Nobody could be asked',
    'stand-in': 'No empty folder could be told in their place',
    remembering: 'That holds for this time only',
    restart: 'It could not be started afresh',
  }
  const why = fault && `${not[fault.of]}: ${fault.message.replace(/\.$/, '')}`
  return [found, ...(fault?.of === 'remembering' ? [outcome, why] : [why, outcome])].filter((part) => part !== undefined).join('. ')
}
