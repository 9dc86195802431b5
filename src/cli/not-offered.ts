import type { Config } from '../policy/config.ts'
import type { AnswerCapabilities } from '../protocol/index.ts'
import { readDeskFile } from './desk-file.ts'
import type { Place } from './place.ts'
import { openStateFolder } from './state-folder.ts'

/** What a server is not told that it may ask, though it could be with a person there. */
export function listNotOffered({ form, url, sampling }: AnswerCapabilities): readonly string[] {
  return [...(form ? [] : ['forms']), ...(url ? [] : ['web pages']), ...(sampling ? [] : [COMPLETIONS])]
}

const COMPLETIONS = 'completions'

/** Says that a server is not offered something, why, and what else would answer. @param lacking is not empty */
export async function describeNotOffered(lacking: readonly string[], server: string, { models, rules }: Config, place: Place): Promise<string> {
  const things = lacking.join(' and ').replace(/ and (?=.* and )/g, ', ')
  const hasDesk = (await readDeskFile(openStateFolder(place).deskFile)) !== undefined
  const desk = hasDesk ? '; the desk that runs answers what comes through consentry wrap, and through Try it in its console' : ''
  const isAllowed = rules.some(({ request = 'sampling', decision }) => request === 'sampling' && decision === 'allow')
  const lacksModel = lacking.includes(COMPLETIONS) && isAllowed && models.length === 0
  const model = lacksModel ? '. A rule allows completions, and there is no model that could answer: consentry models detect looks for some' : ''
  return `${things} are not offered to ${server}: nobody can be asked here (no terminal, no --answers FILE${desk})${model}`
}
