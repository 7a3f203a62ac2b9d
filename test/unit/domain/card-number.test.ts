import { containsCardNumber } from '../../../src/domain/customers/card-number';

it.each([
  ['4111111111111111', 'Visa'],
  ['4111 1111 1111 1111', 'with spaces'],
  ['4111-1111-1111-1111', 'with hyphens'],
  ['4111.1111.1111.1111', 'with dots'],
  ['4111\u00a01111\u20101111 - 1111', 'with separators of typesetters'],
  ['4111\u200b1111\u00ad11111111', 'with invisible characters'],
  [
    '\uff14\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11\uff11',
    'full-width',
  ],
  ['order of card 5555555555554444, thanks', 'Mastercard in a sentence'],
  ['pan=6362970000457013&x', 'Elo in a query'],
  ['x378282246310005x', 'Amex between letters'],
  ['6062825624254001', 'Hipercard'],
  ['36490102462661', 'Diners, 14 digits'],
  ['123\n4111111111111111\n456', 'on a line of its own'],
])('%j is a card number: %s', (text) => {
  expect(containsCardNumber(text)).toBe(true);
});

it.each([
  ['4111111111111112', 'a wrong check digit'],
  ['1774958400000', 'a timestamp with a valid check digit'],
  ['9999999999999995', 'a prefix of no network, with a valid check digit'],
  ['41111111111111111', '17 digits, which no network of the prefix has'],
  ['41111111111111110000', 'part of a longer run'],
  ['12 4111111111111111', 'part of a longer run across a space'],
  ['b163ab03-79e3-4961-b0d6-293290884225', 'a UUID whose digits happen to fit'],
  ['8f2987db8b3eefb281f632266424357c', 'a hash whose digits happen to fit'],
  ['client_8f2987db8b3eefb281f632266424357c', 'an id of ours whose digits happen to fit'],
  ['', 'nothing'],
])('%j is no card number: %s', (text) => {
  expect(containsCardNumber(text)).toBe(false);
});
