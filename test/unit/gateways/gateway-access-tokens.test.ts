import { GatewayAccessTokens, type GatewayAccessToken } from '../../../src/gateways/gateway-access-tokens';

const HOUR_MS = 3_600_000;

let now: number;
let tokens: GatewayAccessTokens;
let requested: number;
beforeEach(() => {
  now = 0;
  requested = 0;
  tokens = new GatewayAccessTokens(() => now);
});

const request = (): Promise<GatewayAccessToken> => {
  requested += 1;
  return Promise.resolve({ value: `token-${requested}`, expiresInMs: HOUR_MS });
};

it('calls that come while a token is being requested wait for that one', async () => {
  const calls = Array.from({ length: 10 }, () => tokens.get('shop', request));
  expect(await Promise.all(calls)).toEqual(Array(10).fill('token-1'));
});

it('a token is used until a minute before it expires', async () => {
  await tokens.get('shop', request);
  now = HOUR_MS - 60_001;
  expect(await tokens.get('shop', request)).toBe('token-1');
  now = HOUR_MS - 60_000;
  expect(await tokens.get('shop', request)).toBe('token-2');
});

it('a token that lives for less than two minutes is renewed after half of its life', async () => {
  const short = () => request().then((token) => ({ ...token, expiresInMs: 60_000 }));
  await tokens.get('shop', short);
  now = 29_999;
  expect(await tokens.get('shop', short)).toBe('token-1');
  now = 30_000;
  expect(await tokens.get('shop', short)).toBe('token-2');
});

it('credentials never share a token', async () => {
  expect(await tokens.get('shop', request)).not.toBe(await tokens.get('another shop', request));
});

it('a failed request fails the calls that waited for it, and the next call asks again', async () => {
  const failure = () => Promise.reject(new Error('unreachable'));
  const [first, second] = [tokens.get('shop', failure), tokens.get('shop', request)];
  await expect(first).rejects.toThrow('unreachable');
  await expect(second).rejects.toThrow('unreachable');
  expect(await tokens.get('shop', request)).toBe('token-1');
});

it('a token that the gateway refused is not used again, and a newer one stays', async () => {
  await tokens.get('shop', request);
  await tokens.forget('shop', 'token-1');
  expect(await tokens.get('shop', request)).toBe('token-2');
  await tokens.forget('shop', 'token-1');
  expect(await tokens.get('shop', request)).toBe('token-2');
});
