/** The guided tour of the demo. */
export const tour = {
  label: 'Guided tour',
  open: 'Show the tour',
  close: 'Close the tour',
  words: 'What this step is about',
  progress: '{{step, number}} of {{count, number}}',
  start: 'Start the tour',
  next: 'Next',
  back: 'Back',
  ask: 'Let {{server}} ask',
  again: 'Ask again',
  answer: 'Go to the question',
  look: 'Look at {{server}}',
  openLog: 'Open the audit log',
  finish: 'Finish the tour',
  outcome: 'What {{server}} made of it',
  states: {
    starting: '{{server}} is starting…',
    broken: '{{server}} does not run. Its page says why.',
    waiting: 'It is your turn: the question is in the inbox.',
    working: '{{server}} is at work…',
    done: '{{server}} has its answer.',
    failed: '{{server}} could not finish it.',
  },
  steps: {
    welcome: {
      title: 'A travel agency is connected',
      text: 'Its server, {{server}}, will ask you for folders, for something only you know, for a model’s answer, and for a visit to a web page. Nothing reaches it before you say so. No account, no network, two minutes.',
    },
    folders: {
      title: 'Folders (roots)',
      text: 'To list trips, {{server}} has to know where it may look. Mark travel-planning, and leave client-documents as it is: what you do not mark is not told.',
      again:
        'Your answer holds for this run. To be asked once more, take back what you told on the page of {{server}}, restart {{server}} there, and let it ask again.',
    },
    form: {
      title: 'A form (elicitation)',
      text: 'Before {{server}} books Barcelona, it needs what only you know. Below the fields stands exactly what will be sent.',
    },
    model: {
      title: 'A model request (sampling)',
      text: '{{server}} wants a model’s opinion on flights. Read its prompt; what you change in it is for a model to read. There is no model here yet: write the answer yourself, or add a model in the settings.',
    },
    page: {
      title: 'A web page (elicitation by URL)',
      text: '{{server}} wants you to sign in on a page of its own, on this computer. Look at the address, open it, and press the button there.',
    },
    log: {
      title: 'The audit log',
      text: 'All that was asked, decided and answered is written down, with who decided, and nothing that you typed. That was everything a server can ask: {{command}} does it for your own servers.',
    },
  },
}
