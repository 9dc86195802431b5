/** Web pages that a server sends a person to. */
export const url = {
  whatOpens: 'What will be opened',
  ownLetters: 'in its own letters',
  whole: 'The whole address',
  open: 'Open in browser',
  openedAndTold: 'Opens the page in a new tab and tells {{server}} that you agreed.',
  copy: 'Copy the address',
  agree: 'I open it myself',
  agreeHelp: 'Tells {{server}} that you agreed, and opens nothing here.',
  nothingSent: 'Only that you agreed. What you do on the page stays between you and the page.',
  warnings_one: '{{count, number}} thing to look at before you open it',
  warnings_other: '{{count, number}} things to look at before you open it',
  wait: 'Continue when you are done there. {{server}} may also report by itself that it is done.',
  continue: 'Continue, I am done there',
  again: 'Open it again',
}
