import { ConsentryError } from '../errors.ts'
import { toWireError } from '../mcp/wire-error.ts'
import type { JsonObject } from '../protocol/index.ts'

type Check = (input: JsonObject) => Promise<JsonObject>

/** One kind of question that can be answered without a server; its room is loaded when it is asked for. */
export interface CheckKind {
  readonly load: () => Promise<Check>
}

export const checkKinds: Readonly<Record<string, CheckKind>> = {
  containment: { load: async () => (await import('../paths/index.ts')).checkContainment },
  forms: { load: async () => inWireTerms((await import('../elicitation/index.ts')).checkForms) },
  'model-choice': { load: async () => inWireTerms((await import('../sampling/index.ts')).checkModelChoice) },
  redaction: { load: async () => (await import('../audit/index.ts')).checkRedaction },
  roots: { load: async () => (await import('../roots/index.ts')).checkRoots },
  'sampling-messages': { load: async () => inWireTerms((await import('../sampling/index.ts')).checkSamplingMessages) },
  secrets: { load: async () => inWireTerms((await import('../elicitation/index.ts')).checkSecrets) },
  urls: { load: async () => (await import('../elicitation/index.ts')).checkUrls },
  'workspace-detect': { load: async () => (await import('../roots/index.ts')).checkWorkspaceDetect },
}

/** Features speak of outcomes; the command line says what the server would get. */
function inWireTerms(check: Check): Check {
  return async (input) => {
    const { outcome, ...result } = await check(input)
    const code = (as: 'FORM_SCHEMA_INVALID' | 'SAMPLING_INVALID'): number => toWireError(new ConsentryError(as, '')).code
    if (outcome === 'send') return { send: result['values'] }
    if (outcome === 'refuse') return { refuse: (result['faults'] as readonly { readonly field: string }[]).map(({ field }) => field), faults: result['faults'] }
    if (outcome === 'schema-invalid') return { schemaError: code('FORM_SCHEMA_INVALID'), ...result }
    return outcome === 'invalid' ? { error: code('SAMPLING_INVALID'), ...result } : result
  }
}
