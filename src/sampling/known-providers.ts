import type { OpenAiCompatibleOptions } from './openai-compatible-model.ts'

/** How a provider is reached that the user names without an address. */
export interface KnownProvider extends Pick<OpenAiCompatibleOptions, 'baseUrl' | 'limitField'> {
  /** Runs on this machine: its models are free. */
  readonly local?: boolean | undefined
}

/** Each of them speaks the chat completions form. */
export const knownProviders: ReadonlyMap<string, KnownProvider> = new Map<string, KnownProvider>([
  ['anthropic', { baseUrl: 'https://api.anthropic.com/v1' }],
  ['openai', { baseUrl: 'https://api.openai.com/v1', limitField: 'max_completion_tokens' }],
  ['google', { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' }],
  ['ollama', { baseUrl: 'http://127.0.0.1:11434/v1', local: true }],
  ['lmstudio', { baseUrl: 'http://127.0.0.1:1234/v1', local: true }],
  ['llamacpp', { baseUrl: 'http://127.0.0.1:8080/v1', local: true }],
  ['docker', { baseUrl: 'http://127.0.0.1:12434/engines/v1', local: true }],
])
