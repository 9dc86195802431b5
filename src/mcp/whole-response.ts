/** A response whose body is here already: to read it, and to copy it, takes no stream. Only `text`, `json` and `clone` know the body. */
export class WholeResponse extends Response {
  override readonly text: () => Promise<string>
  override readonly json: () => Promise<unknown>
  override readonly clone: () => WholeResponse

  constructor(bytes: Uint8Array, about: ResponseInit) {
    super(null, about)
    this.text = () => Promise.resolve(new TextDecoder().decode(bytes))
    this.json = async () => JSON.parse(await this.text()) as unknown
    this.clone = () => new WholeResponse(bytes, about)
  }
}
