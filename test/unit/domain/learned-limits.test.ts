import { PAYMENT_METHODS } from '../../../src/domain/payments/payment';
import {
  ACCOUNT_FEATURES,
  describeLackedFeature,
  lackedFeature,
  limitHoldsUntil,
  neededFeatures,
} from '../../../src/domain/routing/learned-limits';

describe('a feature that an account lacks', () => {
  it.each([
    ['card', false, ['raw_cards']],
    ['pix', false, ['pix']],
    ['billet', false, ['billet']],
    ['card', true, ['raw_cards', 'splits']],
    ['pix', true, ['pix', 'splits']],
    ['billet', true, ['billet', 'splits']],
  ] as const)('keeps away exactly the payments that need it: %s, split %s, needs %j', (...row) => {
    const [paymentMethod, isSplit, needed] = row;
    const payment = { paymentMethod, isSplit };
    for (const feature of ACCOUNT_FEATURES) {
      const kept = (needed as readonly string[]).includes(feature) ? feature : null;
      expect(lackedFeature([feature], payment)).toBe(kept);
    }
    expect(lackedFeature([], payment)).toBeNull();
    expect(neededFeatures(payment)).toEqual(needed);
  });

  it('is asked for again after a day', () => {
    const since = new Date('2026-03-10T12:00:00Z');
    expect(limitHoldsUntil({ since })).toEqual(new Date('2026-03-11T12:00:00Z'));
  });

  it('is named in words of its own', () => {
    const words = ACCOUNT_FEATURES.map(describeLackedFeature);
    expect(new Set(words).size).toBe(PAYMENT_METHODS.length + 1);
    expect(words.join()).toMatch(/card numbers.*pix.*boletos.*split/);
  });
});
