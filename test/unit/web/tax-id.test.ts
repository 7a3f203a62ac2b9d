import { formatTaxId, isTaxId, isTaxIdComplete, taxIdOf } from '../../../src/web/checkout/pay/tax-id';

describe('a tax id that a buyer types', () => {
  it.each([
    ['529982247', '529.982.247'],
    ['52998224725', '529.982.247-25'],
    ['112223330001', '11.222.333/0001'],
    ['12a', '12.A'],
    ['12abc34501de35', '12.ABC.345/01DE-35'],
    ['12.ABC.345/01DE-35 and more', '12.ABC.345/01DE-35'],
  ])('%s is shown as %s', (typed, shown) => {
    expect(formatTaxId(typed)).toBe(shown);
    expect(taxIdOf(shown)).toBe(shown.replaceAll(/[./-]/g, ''));
  });

  it.each(['529.982.247-25', '11.222.333/0001-81', '12.ABC.345/01DE-35', '12.abc.345/01de-35'])(
    '%s is complete and valid',
    (typed) => {
      expect([isTaxIdComplete(typed), isTaxId(typed)]).toEqual([true, true]);
    },
  );

  it.each([
    ['529.982.247-26', true],
    ['11.222.333/0001-82', true],
    ['12.ABC.345/01DE-36', true],
    ['12.ABC.345/01D', false],
    ['12ABC345012', false],
    ['', false],
  ])('%s is not valid', (typed, isComplete) => {
    expect([isTaxIdComplete(typed), isTaxId(typed)]).toEqual([isComplete, false]);
  });
});
