import * as fc from 'fast-check';
import { loadOracle } from '../../../support/card-networks/oracle';
import {
  cardIdentity,
  earliestAllowedAt,
  permissionFor,
  type CardDecline,
  type ChargePermission,
  type GuardedCharge,
} from '../../../../src/domain/subscriptions/charge-guard';

const { limits } = loadOracle();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-03-10T12:00:00Z');

const ago = (days: number): Date => new Date(+NOW - days * DAY_MS);
const declined = (change: Partial<CardDecline> = {}): CardDecline => ({
  at: ago(1),
  amountCents: 9_990,
  code: '51',
  adviceCode: null,
  ...change,
});
const charge = (change: Partial<GuardedCharge> = {}): GuardedCharge => ({
  brand: 'visa',
  amountCents: 9_990,
  at: NOW,
  initiator: 'person',
  ...change,
});
const ALLOWED: ChargePermission = { kind: 'allowed' };

describe('the limit of a card network', () => {
  const maestro = limits
    .filter(([brand]) => brand === 'mastercard')
    .map(([, ...rest]) => ['maestro', ...rest] as const);
  it.each([...limits, ...maestro])('of %s: never %d declines in %d days', (brand, limit, days) => {
    const amounts = brand === 'mastercard' || brand === 'maestro' ? 3 : 1;
    const wishes = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 * DAY_MS }), fc.nat(amounts - 1)), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(wishes, (pauses) => {
        const all: CardDecline[] = [];
        for (const [pause, amountCents] of pauses) {
          const at = new Date(+(all.at(-1)?.at ?? NOW) + pause / 100);
          const permission = permissionFor(charge({ brand, amountCents, at }), all);
          if (permission.kind === 'never') throw new Error('nothing forbids the card for ever');
          all.push(declined({ amountCents, at: permission.kind === 'later' ? permission.at : at }));
        }
        for (const { at: from } of all) {
          const within = all.filter(({ at }) => at >= from && +at < +from + days * DAY_MS);
          expect(within.length).toBeLessThan(limit);
        }
      }),
    );
  });

  it.each(limits)(
    'of %s: the charge before the one that could be decline %d in %d days is allowed',
    (...row) => {
      const [brand, limit, days] = row;
      const pauseMs = (days === 1 ? 3 : 5) * HOUR_MS;
      const all = Array.from({ length: limit - 1 }, (_, index) =>
        declined({ at: new Date(+NOW - index * pauseMs) }),
      );
      const oldest = +NOW - (limit - 2) * pauseMs;
      expect(permissionFor(charge({ brand }), all.slice(1))).toEqual(ALLOWED);
      const freeAt = new Date(oldest + days * DAY_MS);
      expect(permissionFor(charge({ brand }), all)).toEqual({ kind: 'later', at: freeAt });
      expect(permissionFor(charge({ brand, at: freeAt }), all)).toEqual(ALLOWED);
    },
  );

  it.each([
    ['visa', 14, ALLOWED],
    ['elo', 14, ALLOWED],
    ['hipercard', 8, ALLOWED],
    ['mastercard', 6, { kind: 'later', at: new Date(+NOW + HOUR_MS) }],
  ])(
    'of %s counts declines of another amount as it counts: after %d, a charge is %j',
    (brand, count, then) => {
      const others = Array.from({ length: count }, () => declined({ amountCents: 1, at: ago(23 / 24) }));
      expect(permissionFor(charge({ brand }), others)).toEqual(then);
    },
  );

  it('counts a decline whose time is a little later, because clocks of machines differ', () => {
    const visa = Array.from({ length: 14 }, () => declined({ at: new Date(+NOW + 20 * 60_000) }));
    expect(permissionFor(charge(), visa).kind).toBe('later');
    const ahead = Array.from({ length: 14 }, () => declined({ at: new Date(+NOW + DAY_MS) }));
    expect(permissionFor(charge(), ahead)).toEqual(ALLOWED);
  });

  it('of a network without one never delays a charge', () => {
    const often = Array.from({ length: 100 }, () => declined());
    expect(permissionFor(charge({ brand: 'amex' }), often)).toEqual(ALLOWED);
  });
});

describe('a decline that forbids every retry', () => {
  it.each([
    ['visa', '41', null, 'allowed'],
    ['elo', '63', null, 'allowed'],
    ['mastercard', '14', null, 'allowed'],
    ['amex', '200', null, 'never'],
    ['diners', '41', null, 'never'],
    ['mastercard', '05', '03', 'never'],
    ['mastercard', '51', '40', 'never'],
  ])(
    'of %s (%s, advice %s) forbids the card with that amount for ever, and with another it is %s',
    (brand, code, adviceCode, other) => {
      const declines = [declined({ code, adviceCode, at: ago(400) })];
      for (const initiator of ['schedule', 'person'] as const) {
        expect(permissionFor(charge({ brand, initiator }), declines)).toEqual({ kind: 'never' });
        expect(permissionFor(charge({ brand, initiator, amountCents: 1 }), declines).kind).toBe(other);
      }
    },
  );

  it('does not forbid a card of another number or expiry', () => {
    const card = { fingerprint: 'a', expireMonth: 12, expireYear: 2030 };
    const others = [{ fingerprint: 'b' }, { expireMonth: 1 }, { expireYear: 2035 }];
    const identities = [card, ...others.map((change) => ({ ...card, ...change }))].map(cardIdentity);
    expect(new Set(identities).size).toBe(4);
    expect(cardIdentity({ ...card })).toBe(cardIdentity(card));
  });

  it('is not one whose sources contradict each other: a person may ask again', () => {
    expect(permissionFor(charge(), [declined({ code: '54' })])).toEqual(ALLOWED);
  });
});

describe('advice to wait', () => {
  const advised = [declined({ code: '51', adviceCode: '02' })];

  it('delays scheduled charges of that amount only', () => {
    const scheduled = charge({ brand: 'mastercard', initiator: 'schedule' });
    expect(permissionFor(scheduled, advised)).toEqual({ kind: 'later', at: new Date(+ago(1) + 3 * DAY_MS) });
    expect(permissionFor({ ...scheduled, amountCents: 1 }, advised)).toEqual(ALLOWED);
    expect(permissionFor({ ...scheduled, initiator: 'person' }, advised)).toEqual(ALLOWED);
  });
});

describe('the earliest instant of a charge', () => {
  it('is that of the charge itself if nothing forbids it', () => {
    expect(earliestAllowedAt(charge(), [])).toEqual(NOW);
    expect(earliestAllowedAt(charge({ brand: 'amex' }), [declined()])).toEqual(NOW);
  });

  it('does not depend on the order in which the declines are listed', () => {
    const declines = Array.from({ length: 14 }, (_, days) => declined({ at: ago(days + 1) }));
    const freeAt = new Date(+ago(14) + 30 * DAY_MS);
    const shuffled = [...declines.slice(5), ...declines.slice(0, 5)];
    for (const listed of [declines, declines.toReversed(), shuffled])
      expect(earliestAllowedAt(charge(), listed)).toEqual(freeAt);
  });

  it('counts a decline that came up to an hour after the charge was due', () => {
    const after = (ms: number) => Array.from({ length: 14 }, () => declined({ at: new Date(+NOW + ms) }));
    expect(permissionFor(charge(), after(HOUR_MS)).kind).toBe('later');
    expect(permissionFor(charge(), after(HOUR_MS + 1))).toEqual(ALLOWED);
  });
});
