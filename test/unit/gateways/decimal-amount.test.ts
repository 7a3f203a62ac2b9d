import fc from 'fast-check';
import { centsOfDecimal, decimalAmount } from '../../../src/gateways/decimal-amount';

describe('an amount as a decimal number', () => {
  it('is written in JSON as the exact amount, and read back as the same cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (cents) => {
        const text = JSON.stringify(decimalAmount(cents));
        const [units, decimals = ''] = text.split('.');
        expect(`${units}${decimals.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '')).toBe(String(cents));
        expect(centsOfDecimal(JSON.parse(text) as number)).toBe(cents);
      }),
    );
    expect(JSON.stringify(decimalAmount(12_990))).toBe('129.9');
  });

  it.each([129.905, 0.001, -1, 1e21, Number.NaN, Infinity])('is none if it is %d', (amount) => {
    expect(centsOfDecimal(amount)).toBeNull();
  });
});
