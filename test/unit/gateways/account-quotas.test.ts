import { AccountQuotas } from '../../../src/gateways/account-quotas';

const HOUR_MS = 3_600_000;

let now: number;
let quotas: AccountQuotas;
beforeEach(() => {
  now = 0;
  quotas = new AccountQuotas(() => now);
});

const stated = (limit: number | string, remaining: number, reset: number) => ({
  status: 200,
  headers: {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  },
});

it('inquiries are not held back at a gateway that states no quota', () => {
  quotas.record('shop', { status: 200, headers: {} });
  expect([quotas.takeInquiry('shop'), quotas.takeInquiry('shop')]).toEqual([true, true]);
});

it('inquiries are not held back while more than a quarter of the quota remains', () => {
  quotas.record('shop', stated(25_000, 6_251, 3_600));
  expect([quotas.takeInquiry('shop'), quotas.takeInquiry('shop')]).toEqual([true, true]);
});

it('below a quarter, half of the remaining requests are spread over the rest of the period as inquiries', () => {
  quotas.record('shop', stated(25_000, 240, 3_600));
  expect(quotas.takeInquiry('shop')).toBe(true);
  now = 29_000;
  expect(quotas.takeInquiry('shop')).toBe(false);
  now = HOUR_MS / 120;
  expect(quotas.takeInquiry('shop')).toBe(true);
});

it('answers to other requests do not let an inquiry be made earlier', () => {
  quotas.record('shop', stated(25_000, 240, 3_600));
  quotas.takeInquiry('shop');
  quotas.record('shop', stated(25_000, 239, 3_600));
  expect(quotas.takeInquiry('shop')).toBe(false);
});

it.each([0, 1])('no inquiry is made from %i remaining requests until the next period', (remaining) => {
  quotas.record('shop', stated(25_000, remaining, 60));
  quotas.takeInquiry('shop');
  now = 59_999;
  expect(quotas.takeInquiry('shop')).toBe(false);
  now = 60_000;
  expect(quotas.takeInquiry('shop')).toBe(true);
});

it('a used-up quota of one account holds back no other account', () => {
  quotas.record('shop', stated(25_000, 0, 60));
  expect(quotas.takeInquiry('another shop')).toBe(true);
});

it('a 429 with Retry-After holds inquiries back until then', () => {
  quotas.record('shop', { status: 429, headers: { 'retry-after': '30' } });
  expect(quotas.takeInquiry('shop')).toBe(false);
  now = 30_000;
  expect(quotas.takeInquiry('shop')).toBe(true);
});

it('a reset after more than a day is believed for a day', () => {
  quotas.record('shop', stated(10, 0, 999_999_999));
  now = 24 * HOUR_MS;
  expect(quotas.takeInquiry('shop')).toBe(true);
});

it('a limit that is followed by its policies is read', () => {
  quotas.record('shop', stated('100, 100;w=60', 0, 60));
  expect(quotas.takeInquiry('shop')).toBe(false);
});

it.each(['', '-1', 'many', 'NaN', '1e9', '9'.repeat(10)])('a quota header of "%s" says nothing', (value) => {
  quotas.record('shop', { status: 200, headers: { ...stated(10, 0, 60).headers, 'ratelimit-limit': value } });
  expect(quotas.takeInquiry('shop')).toBe(true);
});
