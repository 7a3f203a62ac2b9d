import { currencyDecimals, isCurrency } from '../../../src/domain/shared/currency';
import { formatMoney } from '../../../src/domain/shared/money';

describe('a currency', () => {
  it.each([
    ['BRL', 2],
    ['JPY', 0],
    ['CLP', 0],
    ['ISK', 0],
    ['HUF', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['ZWG', 2],
    ['XCG', 2],
  ])('%s has a minor unit of %i decimals, as in ISO 4217', (code, decimals) => {
    expect(isCurrency(code)).toBe(true);
    expect(currencyDecimals(code)).toBe(decimals);
  });

  it.each(['XAU', 'XXX', 'XDR', 'HRK', 'BGN', 'ANG', 'ZWL', 'brl', 'BR', ''])(
    'is not %j, which ISO 4217 has no longer or without a minor unit',
    (code) => {
      expect(isCurrency(code)).toBe(false);
    },
  );
});

describe('an amount in minor units', () => {
  it.each([
    [1_990, 'BRL', 'R$ 19,90'],
    [1_990, 'JPY', 'JP¥ 1.990'],
    [1_990, 'KWD', 'KWD 1,990'],
    [1_990, 'AFN', 'AFN 19,90'],
  ])('%i of %s is shown as %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text);
  });
});
