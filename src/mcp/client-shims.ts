// What the SDK's client takes from its surroundings, for the program that we bundle. Its own shim for Node loads a compiler of JSON Schema that we never run;
// its small ones build every schema of the protocol before the first line is read.

/** A failed `fetch` is never the work of a browser here. */
export const CORS_IS_POSSIBLE = false
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
