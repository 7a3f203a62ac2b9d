import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toCompactReference } from '../../../../src/gateways/compact-reference';
import { LiveLimit, RecordingProxy } from '../../../gateways/live/recording-proxy';
import { scrubbed, scrubbedText } from '../../../gateways/live/scrub';

const KEY = 'Basic c2tfdGVzdF9hYmNkZWZnaDo=';
const PAYMENT_ID = '24bc8366-fc31-4d6c-8555-17049a836a07';
const CARD = '4000000000000010';

let reached: string[];
/** What the vendor answers besides. */
let told: object;
const vendor = createServer((request, response) => {
  reached.push(`${request.method} ${request.url} ${request.headers.authorization === KEY}`);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'ch_123456', card: { number: CARD }, amount: 12_990, ...told }));
});
let folder: string;
let proxy: RecordingProxy;
beforeAll(async () => {
  vendor.listen(0, '127.0.0.1');
  await once(vendor, 'listening');
});
afterAll(() => vendor.close());
beforeEach(async () => {
  reached = [];
  told = {};
  folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  const address = vendor.address();
  const port = typeof address === 'object' ? address?.port : '';
  proxy = await RecordingProxy.start(
    { targets: { api: `http://127.0.0.1:${port}` }, certificate: null },
    folder,
  );
});
afterEach(async () => {
  await proxy.stop();
  vendor.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const order = (transactionId: string) =>
  fetch(`${proxy.endpoints.api}/core/orders`, {
    method: 'POST',
    headers: { authorization: KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ code: `${transactionId}-1`, card: { number: CARD, cvv: '123' } }),
  });
const read = (path: string) =>
  fetch(`${proxy.endpoints.api}/core/${path}`, { headers: { authorization: KEY } });

describe('the proxy in front of a vendor', () => {
  it('passes requests on and records the answers, without headers, keys and card data', async () => {
    const answer = await (await order(randomUUID())).text();
    expect(JSON.parse(answer)).toMatchObject({ card: { number: CARD } });
    expect(reached).toEqual(['POST /core/orders true']);
    const [file = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, file), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      request: { method: 'POST', path: '/core/orders', body: { card: { number: '…', cvv: '…' } } },
      status: 200,
      body: { id: 'ch_123456', amount: 12_990, card: { number: '…' } },
    });
    expect(text).not.toMatch(/4000000000000010|Basic|c2tf/);
  });

  it('makes troubles for one payment only, which it also knows by the vendor’s ids', async () => {
    const transactionId = randomUUID();
    await order(transactionId);
    proxy.plan(transactionId, { drop: 'before' }, true);
    proxy.plan(transactionId, { html: 502 }, false);
    expect((await read('charges/ch_other1')).status).toBe(200);
    await expect(read('charges/ch_123456')).rejects.toThrow();
    expect((await order(transactionId)).status).toBe(502);
    expect((await order(transactionId)).status).toBe(200);
    expect(proxy.requestCount(transactionId)).toBe(4);
    // The one that was dropped never came.
    expect(reached.filter((line) => line.includes('ch_123456'))).toEqual([]);
  });

  it.each([
    ['in a compact form', (id: string) => `charge/s_${toCompactReference(`${id}-1`)}`, {}, 'captures/1'],
    ['beside a UUID of the vendor', (id: string) => `key/${randomUUID()}/${id}-1`, {}, 'captures/1'],
    ['and by an id that is a number', (id: string) => `${id}-1`, { id: 1_234_567_890 }, 'v1/1234567890'],
    ['and by a UUID', (id: string) => `${id}-1`, { PaymentId: PAYMENT_ID }, `sales/${PAYMENT_ID}/void`],
    [
      'and by a pspReference',
      (id: string) => `${id}-1`,
      { pspReference: 'NC6HT9CRT65ZGN82' },
      'x/NC6HT9CRT65ZGN82',
    ],
  ])('knows a payment by our reference %s', async (_how, first, answered, then) => {
    const transactionId = randomUUID();
    told = answered;
    await read(first(transactionId));
    await read(then);
    await read(`sales/${randomUUID()}`);
    const isKnown = Object.keys(answered).length > 0;
    expect(proxy.requestCount(transactionId)).toBe(isKnown ? 2 : 1);
  });

  it('loses and cuts answers of requests that reached the vendor', async () => {
    const transactionId = randomUUID();
    proxy.plan(transactionId, { drop: 'after' }, false);
    await expect(order(transactionId)).rejects.toThrow();
    proxy.plan(transactionId, { truncate: true }, false);
    await expect(order(transactionId).then((response) => response.text())).rejects.toThrow();
    expect(reached).toHaveLength(2);
  });

  it('leaves to the vendor what only the vendor can answer', () => {
    for (const fault of [{ status: 500 }, { lacks: 'pix' }, { duplicate_id: true }] as const) {
      expect(() => proxy.plan(randomUUID(), fault, false)).toThrow(LiveLimit);
    }
  });
});

describe('what is recorded', () => {
  it.each([
    [{ client_secret: 'pi_1_secret_2' }, { client_secret: '…' }],
    [
      { cvc: 123, exp_month: 3 },
      { cvc: '…', exp_month: 3 },
    ],
    [
      { message: `refused ${CARD}`, key: 'sk_test_abcdefgh' },
      { message: 'refused …', key: '…' },
    ],
    [{ list: [{ access_token: 'x' }] }, { list: [{ access_token: '…' }] }],
    [
      { line: '00190500954014481606906809350314337370000000100' },
      { line: '00190500954014481606906809350314337370000000100' },
    ],
  ])('of %j is %j', (given, expected) => {
    expect(scrubbed(given)).toEqual(expected);
  });

  it('of a page is its text, and of a form its parameters', () => {
    expect(scrubbedText(`<p>${CARD}</p>`)).toBe('<p>…</p>');
    expect(scrubbedText('card%5Bnumber%5D=4000000000000010&card[cvc]=123&amount=5')).toEqual({
      'card[number]': '…',
      'card[cvc]': '…',
      amount: '5',
    });
  });
});
