import { cardLimit } from '../../../src/domain/routing/card-support';

const card = { paymentMethod: 'card', installments: 1, hasCvv: true } as const;

describe('what a gateway can do with a card', () => {
  it('is anything unless the gateway says otherwise', () => {
    expect(cardLimit({}, { ...card, installments: 24, hasCvv: false })).toBeNull();
  });

  it('may need the security code or its own token, and may have a largest number of installments', () => {
    const byToken = { savedCards: 'token' } as const;
    expect(cardLimit(byToken, card)).toBeNull();
    expect(cardLimit(byToken, { ...card, hasCvv: false })).toBe('no_cvv');
    expect(cardLimit(byToken, { ...card, hasCvv: false }, true)).toBeNull();
    expect(cardLimit({ maxInstallments: 12 }, { ...card, installments: 12 })).toBeNull();
    expect(cardLimit({ maxInstallments: 12 }, { ...card, installments: 13 })).toBe('installments');
  });

  it('is no limit for a pix', () => {
    const pix = { paymentMethod: 'pix', installments: 1, hasCvv: false } as const;
    expect(cardLimit({ savedCards: 'token', maxInstallments: 1 }, pix)).toBeNull();
  });
});
