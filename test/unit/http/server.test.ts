import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createHttpServer } from '../../../src/http/server/server';

const TIMEOUTS = { headersMs: 200, requestMs: 400 };
/** Node looks for slow connections once a second. */
const CLOSED_WITHIN_MS = 4_000;

const server = createHttpServer((request, response) => {
  request.resume().on('end', () => response.end('received'));
}, TIMEOUTS);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** Sends the text, then one byte after another for as long as the server listens. */
async function sendSlowly(text: string): Promise<{ readonly tookMs: number; readonly answer: string }> {
  const startedAt = performance.now();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => undefined);
  socket.write(text);
  const drip = setInterval(() => socket.write('a'), 50);
  await once(socket, 'close');
  clearInterval(drip);
  return { tookMs: performance.now() - startedAt, answer };
}

describe('a client that sends a request slowly', () => {
  it.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n'],
  ])('gets an answer and is disconnected at the time limit, though %s still arrive', async (_, text) => {
    const { tookMs, answer } = await sendSlowly(text);
    expect(tookMs).toBeLessThan(CLOSED_WITHIN_MS);
    expect(answer).toContain('400 Bad Request');
    expect(answer).toContain('"The request took too long to arrive."');
  });
});
