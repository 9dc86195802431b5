// A server that says as many lines as it is told to, nine of ten harmed: bytes changed, taken out, doubled or put in. The same lines in every run.
const count = Number(process.argv[2])
const sound = [
  '{"jsonrpc":"2.0","id":1,"method":"roots/list"}',
  '{"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}',
  '{"jsonrpc":"2.0","id":"start","result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5,"message":"half \\"done\\""}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  '{"jsonrpc":"2.0","id":7,"error":{"code":-32042,"message":"visit","data":{"elicitations":[]}}}',
].map((text) => Buffer.from(text))
const bytes = Buffer.from('"\\{}[],: \r\t0e-u\u00e9\0')
let seed = 0x2f6e2b1

/** @see Marsaglia, "Xorshift RNGs" */
function random(below) {
  seed ^= seed << 13
  seed ^= seed >>> 17
  seed ^= seed << 5
  return (seed >>> 0) % below
}

function harm(line) {
  const at = random(line.length)
  const length = 1 + random(12)
  switch (random(5)) {
    case 0:
      return Buffer.concat([line.subarray(0, at), Buffer.of(bytes[random(bytes.length)]), line.subarray(at + 1)])
    case 1:
      return Buffer.concat([line.subarray(0, at), Buffer.of(bytes[random(bytes.length)]), line.subarray(at)])
    case 2:
      return Buffer.concat([line.subarray(0, at), line.subarray(at + length)])
    case 3:
      return Buffer.concat([line.subarray(0, at), line.subarray(at, at + length * 4), line.subarray(at)])
    default:
      return Buffer.concat([Buffer.from('['), line, Buffer.from(','), line, Buffer.from(']')])
  }
}

const end = Buffer.from('\n')
let said = 0

function speak() {
  while (said < count) {
    const lines = []
    for (let more = 0; more < 100 && said < count; more += 1, said += 1) {
      if (said % 10 === 0) lines.push(Buffer.from(`{"jsonrpc":"2.0","method":"sound","params":{"n":${said / 10}}}`), end)
      else lines.push(harm(random(3) === 0 ? harm(sound[random(sound.length)]) : sound[random(sound.length)]), end)
    }
    if (!process.stdout.write(Buffer.concat(lines))) return void process.stdout.once('drain', speak)
  }
}

process.stdin.once('data', speak)
process.stdin.on('end', () => process.exit(0))
