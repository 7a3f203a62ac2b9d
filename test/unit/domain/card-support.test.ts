import { cardLimit, hasCvv } from '../../../src/domain/routing/card-support';
import { CUSTOMER_REASONS, MERCHANT_REASONS } from '../../../src/domain/shared/charge-initiation';

const card = { paymentMethod: 'card', installments: 1, hasCvv: true } as const;

describe('what a gateway can do with a card', () => {
  it('is anything unless the gateway says otherwise', () => {
    expect(cardLimit({}, { ...card, installments: 24, hasCvv: false })).toBeNull();
  });

  it('may need the security code, and may have a largest number of installments', () => {
    expect(cardLimit({ chargesWithoutCvv: false }, card)).toBeNull();
    expect(cardLimit({ chargesWithoutCvv: false }, { ...card, hasCvv: false })).toBe('no_cvv');
    expect(cardLimit({ maxInstallments: 12 }, { ...card, installments: 12 })).toBeNull();
    expect(cardLimit({ maxInstallments: 12 }, { ...card, installments: 13 })).toBe('installments');
  });

  it('is no limit for a pix', () => {
    const pix = { paymentMethod: 'pix', installments: 1, hasCvv: false } as const;
    expect(cardLimit({ chargesWithoutCvv: false, maxInstallments: 1 }, pix)).toBeNull();
  });
});

it('only a charge in which the customer enters the card has its security code, unless renewals follow that have none', () => {
  const withCode = [
    ...CUSTOMER_REASONS.map((reason) => ({ initiator: 'customer', reason }) as const),
    ...MERCHANT_REASONS.map((reason) => ({ initiator: 'merchant', reason, networkIds: null }) as const),
  ].filter(hasCvv);
  expect(withCode.map(({ reason }) => reason)).toEqual(['one_off', 'first_saved']);
});
