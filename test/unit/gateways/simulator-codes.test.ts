import { getBoletoInfo } from '@brazilian-utils/brazilian-utils/get-boleto-info';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import { isValidBoleto } from '@brazilian-utils/brazilian-utils/is-valid-boleto';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { billetCodes, freeFieldOf, MAX_BILLET_CENTS } from '../../../src/simulator/billet-codes';
import { endToEndId, pixCode } from '../../../src/simulator/pix-codes';

const day = (text: string) => DateTime.fromISO(text);
/** Dates before and after the due factor restarted. */
const dueDate = fc
  .integer({ min: 0, max: 9_999 })
  .map((days) => day('2018-01-01').plus({ days }).toFormat('yyyy-MM-dd'));
const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

describe('billet codes', () => {
  it('encode the amount and the due date in a valid line and a matching barcode', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_BILLET_CENTS }),
        dueDate,
        digits(25),
        (cents, dueAt, free) => {
          const { line, barcode } = billetCodes(cents, dueAt, free);
          expect(isValidBoleto(line)).toBe(true);
          const info = getBoletoInfo(line, { referenceDate: day(dueAt).toJSDate() });
          expect(info).toMatchObject({ amount: cents, bankCode: '999' });
          expect(info?.expirationDate).toEqual(day(dueAt).toJSDate());
          expect(barcode).toBe(
            line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31),
          );
        },
      ),
    );
  });

  it.each([
    ['2000-07-03', '1000'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
    ['2025-02-23', '1001'],
    ['2049-10-13', '9999'],
    ['2049-10-14', '1000'],
  ])('encode the due date %s as factor %s', (dueAt, factor) => {
    expect(billetCodes(100, dueAt, '0'.repeat(25)).line.slice(33, 37)).toBe(factor);
  });

  it('have a free field of 25 digits for every charge id', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => /^\d{25}$/.test(freeFieldOf(uuid))));
  });
});

describe('pix codes', () => {
  it('are BR Codes with the exact amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), fc.uuid(), (cents, uuid) => {
        const info = getPixPayloadInfo(pixCode(cents, uuid));
        expect(Math.round((info?.amount ?? 0) * 100)).toBe(cents);
        expect(info?.txid).toMatch(/^[0-9a-f]{25}$/);
      }),
    );
  });

  it('have an end-to-end id with the UTC minute of the payment', () => {
    expect(endToEndId(new Date('2026-03-04T23:59:58Z'))).toMatch(/^E99999999202603042359[A-Z0-9]{11}$/);
  });
});
