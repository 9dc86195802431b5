/** Folders that servers may be told about. */
export const roots = {
  title: 'Folders',
  intro: 'What each server may be told about (roots), with how it stands now.',
  empty: 'No server may know any folder yet.',
  emptyText: 'When a server asks for folders, you choose in the inbox. You can also add one here beforehand.',
  everyServer: 'Every server',
  add: 'Add a folder',
  addFor: 'For which server',
  folder: 'Folder',
  name: 'Name (optional)',
  pick: 'Choose…',
  confirmTitle: 'Read this first',
  confirm: 'Tell it all the same',
  source: {
    config: 'in the config',
    run: 'for this run',
    grant: 'you said yes',
  },
  until: 'until {{day}}',
  remove: 'Remove',
  revoke: 'Revoke',
  refused: 'The folder was not added: {{reason}}',
  guidance:
    'Being told is not being held: a server can read other folders unless it runs in a sandbox. The protocol of 2026-07-28 calls roots guidance and advises new servers against them: they take folders as arguments of their tools, or from their configuration. Servers that ask are answered all the same.',
  sees: 'Told as {{uri}}',
  seenBy: '{{server}} knows it as {{uri}}',
  notSeenBy: '{{server}} is not told: it has files of its own',
}
