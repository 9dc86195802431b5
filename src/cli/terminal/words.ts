import type { Origin, ReviewKind, ServerTarget } from '../../protocol/index.ts'
import { safeText } from './safe-text.ts'

/** Everything the terminal says, in one place, so that other languages can follow. Words of a server come in already made safe. */
export const words = {
  addWarned: 'Tell it of this folder all the same?',
  allTheSame: 'Tell them all the same?',
  anotherFolder: 'Another folder',
  answer: 'Answer',
  approveAlways: (days: number): string => `Approve, and do not ask for ${days} days`,
  approveAlwaysHint: 'within the usual limits, or yours; revoke it any time',
  approveForRun: "Approve, and don't ask again in this run",
  approveForRunHint: 'this answer is still shown; limits hold',
  approve: 'Approve',
  approvePrompt: (model: string): string => `Approve: ask ${model}`,
  askedAgain: 'Please look at these again:',
  askedBecause: (sentence: string): string => `You are asked because: ${sentence}`,
  rescued:
    'You filled this in before, and whoever asked gave up before it was sent: it stands below as you left it. Nothing of it is sent unless you send it now.',
  askedBefore: (times: number, first: string, last: string): string =>
    times === 1 ? `It asked the same before, at ${first}.` : `It asked the same ${times} times before: first at ${first}, last at ${last}.`,
  backToPrompt: 'Back to the question, and send nothing',
  blankLeavesOut: 'leave blank to leave it out',
  cancel: 'Cancel',
  cancelHint: 'close this without an answer (Ctrl-C does the same)',
  cancelWaitHint: (isOneOf: boolean): string =>
    isOneOf ? 'wait no longer; which call this belongs to is not known, so that none ends' : 'give up, which ends the call (Ctrl-C does the same)',
  changedFrom: (label: string, proposed: string | undefined, isLeftOut: boolean): string =>
    `${label}: ${isLeftOut ? 'left out' : 'changed'}${proposed === undefined ? '' : `; the server proposed ${proposed}`}`,
  chooseFolders: 'Which folders may it know? (space marks, Enter goes on)',
  backToFolders: 'Back: choose folders again (space bar picks one)',
  chooseFoldersAgain: 'No, choose again',
  completionIs: (model: string): string => `${model} answers`,
  decline: 'Decline',
  doneThere: 'Continue: I am done there',
  doneThereHint: 'or there is nothing to do there',
  declineHint: 'tell it that you do not want to answer',
  deny: 'Deny',
  denyAlways: 'Never: tell none, and do not ask for this server again',
  denyFolders: 'Deny: tell none in this run',
  edit: 'Edit',
  editAnswer: 'Edit the answer',
  editWhich: 'Which one? (Shift-Tab goes back)',
  denyModelsAlways: (server: string): string => `Never: no language model for ${server} again`,
  editsUnused: (server: string): string => `You answer what ${server} asked: your changes to the prompt are for a model only.`,
  editPrompt: 'Edit the prompt',
  editSystem: 'the system prompt',
  editTokens: 'the limit of tokens',
  fieldNumber: (number: number, of: number): string => `${number} of ${of} · `,
  fieldMark: (isRequired: boolean): string => (isRequired ? 'required' : 'optional'),
  halfCharacter: 'Half of a character is left in this text: delete it',
  hiddenSigns: 'This text has signs that are not shown as they are',
  howToMove: 'Enter goes on, Shift-Tab goes back, Ctrl-C closes the form. You see all of it before anything is sent.',
  howToGoOn: 'What do you want to do?',
  keptBecause: {
    'none-told': 'Its last folder was taken back, or something else lies in its place, but not every server forgets. It was told:',
    'stand-in-told':
      'Its last folder was taken back, or something else lies in its place. It was told an empty folder at once; whether it lets go of what it had cannot be seen from here. It knew:',
    'never-reread': 'It was told that its folders have changed, and has not asked for the new ones. It still knows:',
    'at-start': 'Its folders have changed, and it has only those that it was started with:',
  },
  keepAsItIs: 'Take it as it is',
  keepRepository: 'No',
  keepStandIn: 'Leave it with the empty folder',
  keepStandInHint: 'until you give it another one',
  keepTyped: 'Keep what you typed',
  leaveClient: 'Leave it to the client',
  leaveClientHint: 'nothing changes',
  leaveServer: 'Leave it as it is',
  leaveWarned: 'No, leave it out',
  takeWarned: 'Yes, take it in',
  leaveServerHint: 'it may go on in these folders until it ends',
  leaveOut: 'leave it out',
  leftOut: 'left out',
  listHint: 'one text a line, Tab goes to submit',
  limitsAre: (limits: string): string => `Limits: ${limits}`,
  mayRead: (repository: string): string => `it may also read ${repository}, once it is started again`,
  modelsChanged: 'Your language models have changed.',
  markLeft: 'A mark stays: after what you changed, nobody can tell what belongs there. Undo your change of that text, or type what is missing.',
  modelFailed: (why: string, server: string): string => `! ${why}\nNothing was sent: ${server} still waits for your answer.`,
  noRoom: (shortfall: string): string => `! It does not fit: ${shortfall}. Shorten the answer, write it yourself, or approve it and raise the limit.`,
  modelAndWhy: (model: string, why: string): string => `Model: ${model} (${why})`,
  noModel: (why: string): string => `No model: ${why}`,
  moreToRead: (lines: number, characters: number): string =>
    `… (${lines > 0 ? `${lines} more ${lines === 1 ? 'line' : 'lines'}` : `${characters} more characters`}: "${words.showAll}" shows them)`,
  modelWrites: (model: string): string => `${model} writes (Ctrl-C stops it, and what has come stays)`,
  moreWaiting: (count: number): string => `${count} more ${count === 1 ? 'question is' : 'questions are'} waiting`,
  nameFolder: 'Name a folder that it may know',
  no: 'No',
  noContent: 'nothing but the answer "accept"',
  openBrowser: 'Open in browser',
  addressToCopy: 'Copy this address into your browser:',
  opened: 'Your browser should have it now. If none has opened, copy this address into it:',
  openMyself: 'Show me the address: I will open it myself',
  notRestarted: (why: string): string => `It could not be started afresh, and goes on as it was: ${why}`,
  noSuchFolder: 'There is no such folder or file, so that it cannot be told. Another one?',
  nothingToDecide: (reason: string): string => `There is no answer to look at: ${reason}`,
  notSent: (values: string): string => `Nothing was sent. What you had filled in is there again if the same is asked within ten minutes: ${values}`,
  notKept: 'What you were typing is not kept, and was not sent: it stands above.',
  onlyTold: 'It is only told: this does not keep it out of other folders.',
  held: 'It is held to it (sandbox): the operating system keeps it out of everything else.',
  saidHeld: 'The wrap that started it says that it is held to it (sandbox); this cannot be checked here.',
  goesOnWithout: 'It waits ten seconds for this, and goes on without; what you choose later it is told then.',
  readRepository: 'Yes, and change nothing there',
  repositoryOf: (folder: string, repository: string): string =>
    `Git keeps the repository of ${folder} in ${repository}, where this server, which is held to its folders, cannot reach it. May it read there (status, log, diff)?`,
  rememberThis: 'Remember this?',
  restartServer: 'Start it afresh',
  restartServerHint: 'calls that run now end with an error, and none is sent again',
  silentBecause: {
    roots: {
      cancels: (client: string): string => `${client} said that it tells servers your folders, and refused to three times at once.`,
      silence: (client: string): string => `${client} said that it tells servers your folders, and has told none for two minutes.`,
    },
    elicitation: {
      cancels: (client: string): string => `${client} said that it shows forms, and closed three of them before anybody could read them.`,
      silence: (client: string): string =>
        `${client} said that it shows forms, and has not answered one for two minutes. If you see it there, you can answer it there.`,
    },
    sampling: {
      cancels: (client: string): string => `${client} said that it asks a model, and refused three requests before anybody could read them.`,
      silence: (client: string): string =>
        `${client} said that it asks a model, and has not answered a request for two minutes. If you see it there, you can answer it there.`,
    },
  },
  takeOver: 'Answer here',
  takeOverHint: 'until its connection ends',
  takeOverAlways: 'Answer here each time',
  takeOverAlwaysHint: 'whenever this client talks to this server, until it is revoked on the page of the server',
  secretAdvice: 'This looks like a password or key. A server must not ask for one like this; it could send you to a web page (URL mode) in its place.',
  otherModel: 'Ask another model',
  pasteIgnored: 'What was pasted does nothing here: arrows choose, Enter takes, Ctrl-C closes this',
  pastedLines: 'What you pasted has line ends: each stands as ␊ below, and is part of your answer',
  pastedLong: (lines: number, characters: number): string =>
    `What you pasted (${characters} characters${lines > 1 ? `, ${lines} lines` : ''}) stands as [] below, so that it can be seen where it is`,
  putBack: 'Put back what was taken out',
  raiseBudget: 'Raise: as much again',
  raiseBudgetHint: 'for the rest of this day or run',
  send: 'Send',
  sameWaiting: (count: number, server: string): string =>
    count === 1
      ? `${server} has asked exactly the same once more. The same answer to it?`
      : `${server} has asked exactly the same ${count} times more. The same answer to all of them?`,
  sameAnswer: 'Yes, the same answer',
  sameNot: 'No, ask me each time',
  stopAsking: (server: string): string => `Stop: show nothing more of ${server} in this run`,
  stopAskingHint: 'what it asks ends without an answer',
  sendTo: (server: string): string => `Send to ${server}`,
  sendForRun: (server: string): string => `Send to ${server}, and show no more answers in this run`,
  sendForRunHint: 'prompts are still shown; limits hold',
  sendEmptyText: 'Send an empty text',
  showHidden: 'Show the hidden values',
  showAll: 'Show all of it',
  serverSays: (server: string): string => `${server} says`,
  stopForGood: (server: string): string => `Never: no language model for ${server} again`,
  stopForRun: (server: string): string => `Stop: no language model for ${server} in this run`,
  stoppedThere: 'It was stopped, or broke off, here.',
  takenOut: (places: string): string => `Taken out before anybody sees it: ${places}`,
  tellAllTheSame: 'Yes, tell them',
  tellAlways: 'Tell, and remember it until I revoke it',
  tellStandIn: 'Tell it an empty folder in place of none',
  tellStandInHint: 'most servers let go of the others then',
  tellForRun: 'Tell, for this run',
  tellForDays: (days: number): string => `Tell, and remember it for ${days} days`,
  stopsAt: (sequences: string): string => `It stops at: ${sequences}`,
  temperature: (temperature: number): string => `Temperature: ${temperature}`,
  tokensAtMost: (count: number): string => (count === 0 ? 'Tokens: no limit was asked for' : `Tokens: ${count} at most`),
  markIgnored: 'Only the arrows, Tab, the space bar and Enter do something here: what else was typed is thrown away',
  answerIgnored: 'Type y or n, or choose with the arrows, and press Enter: what else was typed is thrown away',
  yesOrNo: '(y/N)',
  textIgnored: 'Only the arrows, Tab and Enter do something here: what else was typed is thrown away',
  tooSoon: 'That was too soon to have been read: press it again in a moment',
  through: (client: string): string => `It was started by ${client}`,
  toolRounds: (count: number): string => `Rounds of tool use before this: ${count}`,
  took: (amounts: string): string => `It took ${amounts}`,
  toolsOffered: (names: string): string => `It may ask for these tools (the server runs them, not we): ${names}`,
  tryAgain: (model: string): string => `Try again: ask ${model}`,
  typeAgain: 'Type an answer',
  typeFolder: 'Path of the folder (~ is your home folder; blank for none)',
  typeNextFolder: 'Path of one more folder (blank: that is all)',
  urlHost: (host: string): string => `Host: ${host}`,
  urlSite: (site: string): string => `Site: ${site}`,
  urlUnicodeHost: (host: string): string => `Host in its own letters: ${host}`,
  visitOver: (server: string, reason: string): string => `${server} waits for nobody on its page any more: ${reason}`,
  waitEndsItself: (server: string): string => `This goes away by itself as soon as ${server} says that you are done.`,
  waitForBudget: 'Wait: refuse it now, until there is room again',
  waitForBudgetHint: (server: string): string => `${server} hears how long to wait; until then only what you approve yourself is asked about`,
  wantsEstimate: (estimate: string): string => `It would take ${estimate}`,
  wantsToSpend: (model: string, estimate: string): string => `It would ask ${model}: ${estimate}`,
  waitsUntil: (time: string): string => `It waits for your answer until ${time} at most`,
  willBeOpened: 'This address would be opened',
  willBeTold: (server: string): string => `This will be told to ${server}`,
  willBeSent: (server: string): string => `This will be sent to ${server}`,
  withdrawn: (server: string, reason: string): string => `${server} does not wait for this any more: ${reason}`,
  askedTwice: (server: string): string => `You closed two questions of ${server} in a row. What now?`,
  endCall: 'End the call',
  endServer: 'End it',
  endServerHint: 'its connection to the client ends with it, until the client starts it anew',
  forThisServer: 'Yes, whenever it happens with this server',
  forThisTime: 'No, ask me the next time',
  goOn: 'Go on',
  withhold: 'Withhold',
  withholdHint: 'the server is told that you said no',
  hereIs: (path: string): string => `here: ${path}`,
  wouldSee: (uri: string): string => `it would see ${uri}`,
  writeAnswer: 'Write the answer myself',
  yes: 'Yes',
  yourAnswer: 'Your answer (Tab goes to submit)',
} as const

/** Who asks, from our own knowledge: the name the user gave, and what is started. */
export function describeTarget(target: ServerTarget): string {
  switch (target.kind) {
    case 'stdio':
      return safeText([target.command, ...target.args].join(' '), { maximum: 200 })
    case 'http':
      return safeText(target.url, { maximum: 200 })
    case 'custom':
      return safeText(target.description, { maximum: 200 })
    default:
      return target satisfies never
  }
}

/** One sentence of ours: who wants what, and what it is for. */
export function headline(kind: ReviewKind, { server, call }: Origin, count: number): string {
  const name = safeText(server.name, { maximum: 60 })
  const purpose =
    call === undefined ? '' : call.kind === 'one-of' ? ` to finish one of ${call.count} open calls` : ` to finish ${safeText(call.name, { maximum: 60 })}`
  return `${name} ${wishes[kind](count)}${purpose}`
}

const wishes: Readonly<Record<ReviewKind, (count: number) => string>> = {
  form: (count) => (count === 0 ? 'wants you to confirm something' : `wants to know ${count} ${count === 1 ? 'thing' : 'things'}`),
  url: () => 'wants you to visit a web page',
  'url-wait': () => 'waits until you are done on its web page',
  prompt: () => 'wants an answer from a language model',
  completion: () => 'would get this answer',
  budget: () => 'asks for more than is left of what it may spend on language models',
  folders: () => 'wants to know your folders',
  'kept-folders': () => 'may go on in folders that it was told before',
  'silent-client': () => 'has a client that does not seem to show you its questions',
}
