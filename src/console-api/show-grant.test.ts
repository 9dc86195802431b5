import { expect, test } from 'vitest'
import type { Grant } from '../policy/index.ts'
import type { GrantAbout } from './contract.ts'
import { showGrant } from './show-grant.ts'

const cases: Readonly<Record<string, readonly [Pick<Grant, 'kind' | 'details'>, GrantAbout | undefined]>> = {
  'a folder': [
    { kind: 'roots', details: { path: '/a', mark: { object: '1' } } },
    { what: 'folder', path: '/a' },
  ],
  'no folder at all': [{ kind: 'roots', details: { refused: true } }, { what: 'no-folders' }],
  'a server that is started again': [{ kind: 'roots', details: { keptFolders: 'restart' } }, { what: 'kept-restart' }],
  'a server that is left alone': [{ kind: 'roots', details: { keptFolders: 'leave' } }, { what: 'kept-leave' }],
  'folders that nobody knows how to read': [{ kind: 'roots', details: { keptFolders: '__proto__' } }, undefined],
  'model requests without a review': [{ kind: 'sampling', details: { says: 'allow', skip: 'both' } }, { what: 'models-allowed' }],
  'model requests whose answer is shown': [
    { kind: 'sampling', details: { says: 'allow', skip: 'prompt' } },
    { what: 'models-allowed', shown: 'completion' },
  ],
  'model requests whose prompt is shown': [
    { kind: 'sampling', details: { says: 'allow', skip: 'completion' } },
    { what: 'models-allowed', shown: 'prompt' },
  ],
  'no model request': [{ kind: 'sampling', details: { says: 'deny', skip: 'both' } }, { what: 'models-denied' }],
  'a model request that nobody knows how to read': [{ kind: 'sampling', details: { says: 'perhaps' } }, undefined],
  'questions in place of a client': [
    { kind: 'elicitation', details: { answeredHereInPlaceOf: 'Cursor' } },
    { what: 'answered-here', client: 'Cursor' },
  ],
  'a question that nobody knows how to read': [{ kind: 'elicitation', details: {} }, undefined],
}

test.each(Object.entries(cases))('what was remembered is named: %s', (_, [part, about]) => {
  const grant: Grant = { id: 'g', server: 'travel', grantedAt: 1, ...part }

  expect(showGrant(grant)).toEqual({ ...grant, ...(about && { about }) })
})
