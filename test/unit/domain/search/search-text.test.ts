import fc from 'fast-check';
import { parseSearch } from '../../../../src/domain/search/search-text';

const amounts = (text: string) => parseSearch(text).amounts;

describe('a searched text', () => {
  it.each([
    ['18990', [18_990, 1_899_000]],
    ['189.90', [18_990]],
    ['189,90', [18_990]],
    ['189,9', [18_990]],
    ['R$ 189,90', [18_990]],
    ['BRL 189.90', [18_990]],
    ['1.899,00', [189_900]],
    ['1,899.00', [189_900]],
    ['1 899,00', [189_900]],
    ['1.899', [189_900]],
    ['1,899,00', []],
    ['189,901', [18_990_100]],
    ['0', []],
    ['order-189', []],
    ['9'.repeat(13), []],
  ])('%s stands for the amounts %j', (text, expected) => {
    expect(amounts(text)).toEqual(expected);
  });

  it('finds every amount by its two decimals, whichever separator is used', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999_999 }),
        fc.constantFrom('.', ','),
        (cents, separator) => {
          const text = `${Math.floor(cents / 100)}${separator}${String(cents % 100).padStart(2, '0')}`;
          expect(amounts(text)).toEqual([cents]);
          expect(amounts(String(cents))).toContain(cents);
        },
      ),
    );
  });

  it('stands for a document with or without punctuation', () => {
    expect(parseSearch('529.982.247-25').document).toBe('52998224725');
    expect(parseSearch('52998224725').document).toBe('52998224725');
    expect(parseSearch('12.abc.345/01de-35').document).toBe('12ABC34501DE35');
    expect(parseSearch('5299822472').document).toBeNull();
  });

  it('stands for the last four digits of a card, also as they are printed on receipts', () => {
    expect(['1111', '**** 1111', '•••• 1111', 'xxxx1111'].map((text) => parseSearch(text).lastFour)).toEqual(
      Array(4).fill('1111'),
    );
    expect(parseSearch('11112').lastFour).toBeNull();
  });

  it('stands for ids: of a payment or subscription, an event, and a webhook', () => {
    const id = '0193A7C2-5e1f-7b44-9d0a-3f2c86e51b70';
    expect(parseSearch(` ${id} `)).toMatchObject({ uuid: id.toLowerCase(), text: id });
    expect(parseSearch(`msg_${id}`)).toMatchObject({ deliveryId: id.toLowerCase(), uuid: null });
    expect(parseSearch('9070').eventId).toBe(9_070);
    expect(parseSearch('9'.repeat(16)).eventId).toBeNull();
  });
});
