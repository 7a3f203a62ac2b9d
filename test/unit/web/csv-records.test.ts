import fc from 'fast-check';
import { csvLine } from '../../../src/presenters/exports/csv';
import { CsvRecords } from '../../../src/web/dashboard/exports/csv-records';

describe('CSV that arrives in pieces', () => {
  const cells = fc.array(
    fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\r', '\n', '\r\n', '=', 'é') }),
    {
      minLength: 1,
      maxLength: 3,
    },
  );

  it('has as many records as were written, whatever is in their cells and wherever a piece ends', () => {
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (records, size) => {
        const csv = records.map((record, index) => csvLine([`id-${index}`, ...record], 'comma')).join('');
        const found = new CsvRecords();
        let taken = '';
        for (let from = 0; from < csv.length; from += size) taken += found.take(csv.slice(from, from + size));
        expect(taken).toBe(csv);
        expect(found.count).toBe(records.length);
        expect(found.lastId).toBe(records.length === 0 ? null : `id-${records.length - 1}`);
      }),
    );
  });

  it('goes on behind the last complete record after an interruption', () => {
    const found = new CsvRecords();
    expect(found.take('id,name\r\n1,"a\r\n"\r\n2,"b')).toBe('id,name\r\n1,"a\r\n"\r\n');
    expect(found.lastId).toBe('1');
    found.dropIncomplete();
    expect(found.take('2,"b\r\nc"\r\n')).toBe('2,"b\r\nc"\r\n');
    expect([found.count, found.lastId]).toEqual([3, '2']);
  });
});
