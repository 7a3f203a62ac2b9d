import fc from 'fast-check';
import {
  describeExpiryLimit,
  expiryLimit,
  paymentExpiry,
  sentExpiry,
  type ExpiryLimit,
  type ExpirySupport,
  type PaymentExpiry,
  type PixExpiry,
} from '../../../src/domain/routing/expiry-support';

const SECONDS: PixExpiry = { kind: 'seconds', minSeconds: 600, maxSeconds: 86_400 };
const FIXED: PixExpiry = { kind: 'fixed', seconds: 7_200 };
const DAY: PixExpiry = { kind: 'day' };
const support = (change: Partial<ExpirySupport> = {}): ExpirySupport => ({
  pixExpiry: SECONDS,
  billetDueDays: { min: 1, max: 30 },
  payableAfterExpiry: [],
  ...change,
});

/** 23:30 of 9 March in Brasília. */
const CREATED = new Date('2026-03-10T02:30:00Z');
const pix = (seconds: number, isDefault = false): PaymentExpiry => ({
  ...{ pixExpiresInSeconds: seconds, billetDueAt: null, isDefault, createdAt: CREATED },
});
const billet = (billetDueAt: string, isDefault = false): PaymentExpiry => ({
  ...{ pixExpiresInSeconds: null, billetDueAt, isDefault, createdAt: CREATED },
});

describe('a gateway is passed over for an expiry that the request asks for and the gateway cannot do', () => {
  it.each<[string, ExpirySupport, PaymentExpiry | null, ExpiryLimit | null]>([
    ['the shortest time of a pix', support(), pix(600), null],
    ['a shorter time', support(), pix(599), 'pix_expires_in'],
    ['the longest time of a pix', support(), pix(86_400), null],
    ['a longer time', support(), pix(86_401), 'pix_expires_in'],
    ['the fixed time', support({ pixExpiry: FIXED }), pix(7_200), null],
    ['another than the fixed time', support({ pixExpiry: FIXED }), pix(7_199), 'pix_expires_in'],
    ['a time, where a pix expires by day', support({ pixExpiry: DAY }), pix(86_400), 'pix_expires_in'],
    ['an end that is none', support({ payableAfterExpiry: ['pix'] }), pix(600), 'pix_payable_after_expiry'],
    ['a boleto that is due tomorrow', support(), billet('2026-03-10'), null],
    ['a boleto that is due today, in Brasília', support(), billet('2026-03-09'), 'billet_due_at'],
    ['the last due date', support(), billet('2026-04-08'), null],
    ['a later due date', support(), billet('2026-04-09'), 'billet_due_at'],
    [
      'a due date, where boletos are paid late',
      support({ payableAfterExpiry: ['billet'] }),
      billet('2026-03-10'),
      null,
    ],
    ['a card', support({ payableAfterExpiry: ['pix'] }), null, null],
    ['a pix, where only the methods decide', support({ pixExpiry: null }), pix(1), null],
    ['a boleto, where only the methods decide', support({ billetDueDays: null }), billet('2026-03-09'), null],
  ])('%s', (_what, able, expiry, limit) => {
    expect(expiryLimit(able, expiry)).toBe(limit);
  });

  it.each<[ExpiryLimit, Partial<ExpirySupport>, string]>([
    ['pix_expires_in', {}, 'lets a pix expire after 600 to 86400 seconds only'],
    ['pix_expires_in', { pixExpiry: FIXED }, 'lets a pix expire after 7200 seconds only'],
    ['pix_expires_in', { pixExpiry: DAY }, 'lets a pix expire at the end of a day only'],
    [
      'pix_payable_after_expiry',
      {},
      'lets a pix be paid after its expiry, so it does not support pix_expires_in',
    ],
    ['billet_due_at', {}, 'needs a boleto to be due in 1 to 30 days'],
  ])('and %s with %j is explained', (limit, change, text) => {
    expect(describeExpiryLimit(limit, support(change))).toBe(text);
  });
});

describe('the expiry that is sent', () => {
  const rules = fc.oneof(
    fc
      .record({ minSeconds: fc.integer({ min: 1, max: 5_000 }), more: fc.nat(90_000) })
      .map(({ minSeconds, more }): PixExpiry => ({
        kind: 'seconds',
        minSeconds,
        maxSeconds: minSeconds + more,
      })),
    fc.integer({ min: 1, max: 90_000 }).map((seconds): PixExpiry => ({ kind: 'fixed', seconds })),
  );
  const seconds = fc.integer({ min: 60, max: 1_209_600 });

  it('is exactly the asked one at every gateway that is not passed over', () => {
    fc.assert(
      fc.property(rules, seconds, (pixExpiry, asked) => {
        const able = support({ pixExpiry });
        fc.pre(expiryLimit(able, pix(asked)) === null);
        expect(sentExpiry(able, pix(asked)).pix).toEqual({
          expiresInSeconds: asked,
          expiresAt: new Date(CREATED.getTime() + asked * 1_000).toISOString(),
          lastDay: null,
        });
      }),
    );
    expect(sentExpiry(support(), billet('2026-04-08'))).toEqual({ pix: null, billetDueAt: '2026-04-08' });
  });

  it('of a default is what the gateway can do, so that no gateway is passed over for it', () => {
    fc.assert(
      fc.property(rules, seconds, (pixExpiry, asked) => {
        const able = support({ pixExpiry, payableAfterExpiry: ['pix'] });
        expect(expiryLimit(able, pix(asked, true))).toBeNull();
        const sent = sentExpiry(able, pix(asked, true)).pix?.expiresInSeconds ?? 0;
        expect(expiryLimit(support({ pixExpiry }), pix(sent))).toBeNull();
      }),
    );
  });

  it('of a default is the nearest one: the day of the default, or the due date at the edge of the range', () => {
    const lastDay = (after: number) => sentExpiry(support({ pixExpiry: DAY }), pix(after, true)).pix?.lastDay;
    expect([lastDay(60), lastDay(1_799), lastDay(1_800), lastDay(86_400)]).toEqual([
      '2026-03-09',
      '2026-03-09',
      '2026-03-10',
      '2026-03-10',
    ]);
    const dueAt = (date: string) => sentExpiry(support(), billet(date, true)).billetDueAt;
    expect([dueAt('2026-03-09'), dueAt('2026-03-12'), dueAt('2026-05-01')]).toEqual([
      '2026-03-10',
      '2026-03-12',
      '2026-04-08',
    ]);
    expect(sentExpiry(support({ billetDueDays: null, pixExpiry: null }), pix(60)).pix).toEqual({
      ...{ expiresInSeconds: 60, expiresAt: '2026-03-10T02:31:00.000Z', lastDay: null },
    });
  });

  it('is that of the stored payment', () => {
    const stored = { pixExpiresIn: 60, billetDueAt: null, expiryIsDefault: true, createdAt: CREATED };
    expect(paymentExpiry(stored)).toEqual(pix(60, true));
    expect(paymentExpiry({ ...stored, pixExpiresIn: null })).toBeNull();
  });
});
