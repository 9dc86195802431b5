import { CLIENT_CAPABILITIES_META_KEY, specTypeSchemas, type ClientCapabilities, type Server, type ServerContext } from '@modelcontextprotocol/server'

/** What the client said it can do: once for all in the legacy era, with each request in the modern one. */
export function readCapabilities(server: Server, era: 'legacy' | 'modern', context: ServerContext): ClientCapabilities {
  if (era === 'legacy') return server.getClientCapabilities() ?? {}
  const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {}
  const declared = specTypeSchemas.ClientCapabilities['~standard'].validate(envelope[CLIENT_CAPABILITIES_META_KEY])
  return declared.issues === undefined ? declared.value : {}
}

/** @returns the part of `required` that is not declared; undefined where all of it is */
export function findMissing(required: ClientCapabilities, declared: ClientCapabilities): ClientCapabilities | undefined {
  if (required.roots && !declared.roots) return { roots: {} }
  if (required.sampling && !declared.sampling) return { sampling: {} }
  if (required.elicitation?.url && !declared.elicitation?.url) return { elicitation: { url: {} } }
  if (required.elicitation?.form && !knowsForms(declared.elicitation)) return { elicitation: { form: {} } }
  return undefined
}

/** A sentence that tells a person what to do about it. */
export function describeMissing(tool: string, missing: ClientCapabilities): string {
  const [capability = 'unknown', modes = {}] = Object.entries(missing)[0] ?? []
  const name = [capability, ...Object.keys(modes)].join('.')
  return (
    `${tool} has to ask you something, and your MCP client cannot be asked: it did not declare the capability "${name}". ` +
    'Nothing was done. In a client that does not know it, Consentry can stand in front: consentry wrap -- node travel-server.js. ' +
    'If Consentry runs this already, nobody could be asked there: run it in a terminal, or give it an answers file.'
  )
}

/** Before URL mode existed, `elicitation: {}` meant forms, and it still does. */
function knowsForms(elicitation: ClientCapabilities['elicitation']): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}
