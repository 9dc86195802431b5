import type { ModelApi } from './provider-traits.ts'

/** How a provider is reached that the user names without an address. */
export interface KnownProvider {
  readonly api: ModelApi
  readonly baseUrl: string
  /** Where it speaks the chat completions form, for those who have not installed its own client. */
  readonly compatibleUrl?: string | undefined
  readonly limitField?: 'max_completion_tokens' | undefined
  /** The variable of the environment that its own programs take the key from. */
  readonly keyVariable?: string | undefined
  /** Runs on this machine: its models are free. */
  readonly local?: boolean | undefined
}

const localServer = (baseUrl: string): KnownProvider => ({ api: 'openai-compatible', baseUrl, local: true })

/** Services with a client of their own, and servers on this machine. */
export const knownProviders: ReadonlyMap<string, KnownProvider> = new Map<string, KnownProvider>([
  ['anthropic', { api: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', keyVariable: 'ANTHROPIC_API_KEY' }],
  ['openai', { api: 'openai', baseUrl: 'https://api.openai.com/v1', limitField: 'max_completion_tokens', keyVariable: 'OPENAI_API_KEY' }],
  [
    'google',
    {
      api: 'google',
      baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
      compatibleUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
      keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    },
  ],
  ['ollama', localServer('http://127.0.0.1:11434/v1')],
  ['lmstudio', localServer('http://127.0.0.1:1234/v1')],
  ['llamacpp', localServer('http://127.0.0.1:8080/v1')],
  ['docker', localServer('http://127.0.0.1:12434/engines/v1')],
])
