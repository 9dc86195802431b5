import type { JsonObject } from '../protocol/index.ts'
import type { ScriptedQuestion } from './script.ts'

/** Asks which folders the server may use. */
export function rootsQuestion(): ScriptedQuestion {
  return { method: 'roots/list' }
}

/** Asks a form. `properties` are those of the schema; `required` names the fields that must not be left out. */
export function formQuestion(message: string, properties: JsonObject, required?: readonly string[]): ScriptedQuestion {
  const requestedSchema = { type: 'object', properties, ...(required && { required }) }
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/** Asks to visit a page. The id belongs to revision 2025-11-25, and is ignored in later ones. */
export function urlQuestion(message: string, url: string, elicitationId: string = 'elicitation-1'): ScriptedQuestion {
  return { method: 'elicitation/create', params: { mode: 'url', message, url, elicitationId } }
}

/** Asks the client's model. `params` adds to the request, or overrides it: `systemPrompt`, `modelPreferences`, `tools`, … */
export function modelQuestion(text: string, params: JsonObject = {}): ScriptedQuestion {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 1000, ...params },
  }
}
