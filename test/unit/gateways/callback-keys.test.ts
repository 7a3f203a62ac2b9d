import { CallbackKeys } from '../../../src/gateways/callbacks/published-keys';
import type { GatewayDriver } from '../../../src/gateways/gateway';
import { GatewayError } from '../../../src/gateways/errors';
import type { GatewayCall, GatewayHttpRequest } from '../../../src/gateways/http';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAUSE_MS = 60_000;
const URL = 'https://keys.example/jwks.json';

let now: number;
let requests: GatewayHttpRequest[];
/** What the gateway publishes: ids of keys, a text, or nothing because it is out of reach. */
let published: readonly string[] | string | null;
beforeEach(() => {
  now = 1_000_000;
  requests = [];
  published = ['a'];
});

const send: GatewayCall['send'] = (request) => {
  requests.push(request);
  if (published === null) return Promise.reject(new GatewayError('not_sent', 'out of reach'));
  const text =
    typeof published === 'string'
      ? published
      : JSON.stringify({ keys: published.map((kid) => ({ kid, kty: 'RSA' })) });
  return Promise.resolve({ status: 200, headers: {}, text });
};

function keysOf(callbackKeys: GatewayDriver['callbackKeys']) {
  const driver = { callbackKeys } as GatewayDriver;
  const registry = { driver: () => driver, endpoints: () => ({ keys: URL }) };
  const keys = new CallbackKeys(registry, { call: () => ({ send }) }, () => now);
  const idOf = (secret: string): unknown => (JSON.parse(secret) as { kid: unknown }).kid;
  /** The ids of the keys for a callback that names one. */
  return async (kid: string | null): Promise<unknown[]> =>
    (await keys.secretsFor('gateway_1', { headers: { kid: kid ?? undefined } })).map(idOf);
}

const newKeys = () => keysOf({ url: ({ keys = '' }) => keys, keyId: ({ headers }) => headers.kid ?? null });

describe('the published keys of a gateway', () => {
  it('are read when the first signed callback comes, and then known', async () => {
    const ask = newKeys();
    expect(await ask(null)).toEqual([]);
    expect(requests).toEqual([]);
    expect(await ask('a')).toEqual(['a']);
    expect(await ask('a')).toEqual(['a']);
    expect(requests).toMatchObject([{ method: 'GET', url: URL }]);
  });

  it('are read again for an unknown key, but at most once a minute, because anybody can name one', async () => {
    const ask = newKeys();
    await ask('a');
    published = ['a', 'b'];
    expect(await ask('b')).toEqual(['a']);
    now += PAUSE_MS - 1;
    expect(await ask('b')).toEqual(['a']);
    expect(requests).toHaveLength(1);
    now += 1;
    expect(await ask('b')).toEqual(['a', 'b']);
    expect(requests).toHaveLength(2);
  });

  it('are read once however many callbacks wait for them', async () => {
    const ask = newKeys();
    expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([['a'], ['a'], ['a']]);
    expect(requests).toHaveLength(1);
  });

  it('are read once a day, so that a key that the gateway withdrew is forgotten', async () => {
    const ask = newKeys();
    await ask('a');
    published = ['b'];
    now += DAY_MS - 1;
    expect(await ask('a')).toEqual(['a']);
    now += 1;
    expect(await ask('a')).toEqual(['b']);
  });

  it.each([null, 'no JSON', '{}', '{"keys":[]}', '{"keys":[{"kty":"RSA"}]}'])(
    'stay as they are while the gateway shows %j in their place',
    async (answer) => {
      const ask = newKeys();
      await ask('a');
      published = answer;
      now += DAY_MS;
      expect(await ask('a')).toEqual(['a']);
      expect(requests).toHaveLength(2);
    },
  );

  it('are at most twenty, of ordinary length', async () => {
    published = ['x'.repeat(201), ...Array.from({ length: 30 }, (_, n) => `key-${n}`)];
    expect(await newKeys()('key-1')).toEqual([]);
    published = Array.from({ length: 30 }, (_, n) => `key-${n}`);
    now += PAUSE_MS;
    expect(await newKeys()('key-1')).toHaveLength(20);
  });

  it('do not exist for a gateway that signs with a shared secret', async () => {
    expect(await keysOf(undefined)('a')).toEqual([]);
    expect(requests).toEqual([]);
  });
});
