import { csvHeader, csvLine, csvLines, type CsvColumn } from '../../../src/presenters/exports/csv';

const cell = (value: string): string => csvLine([value], 'comma').slice(0, -2);

describe('a line of CSV', () => {
  it('quotes cells with a delimiter, a quote or a line end, as RFC 4180 says', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\r\nlines', 'd;e', ''], 'comma')).toBe(
      'a,"b,c","say ""hi""","two\r\nlines","d;e",\r\n',
    );
    expect(csvLine(['a', 'b,c', 'd;e'], 'semicolon')).toBe('a;"b,c";"d;e"\r\n');
  });

  it('shows amounts as integers, also negative ones, instants in UTC, and nothing for null', () => {
    const at = new Date('2026-03-02T11:05:09.120-03:00');
    expect(csvLine([-1990, true, at, null, undefined], 'comma')).toBe(
      '-1990,true,2026-03-02T14:05:09.120Z,,\r\n',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+5511999990000', "'+5511999990000"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['  =1+1', "  '=1+1"],
    ['\t=1+1', `"\t'=1+1"`],
    ['"=1+1"', `"""'=1+1"""`],
    ['Maria;=1+1', `"Maria;'=1+1"`],
    ['Maria;"=1+1"', `"Maria;""'=1+1"""`],
    ['Maria\n=1+1', `"Maria\n'=1+1"`],
  ])('a spreadsheet runs no formula in the text %j', (text, expected) => {
    expect(cell(text)).toBe(expected);
  });

  it.each(['order-1001', 'a=b', '2026-03-02', 'maria@example.com', 'Ana-Maria', '{"till":"-7"}'])(
    'the text %j stays as it is',
    (text) =>
      expect(
        cell(text)
          .replaceAll('""', '"')
          .replace(/^"(.*)"$/, '$1'),
      ).toBe(text),
  );

  it('a table has the names of its columns and a line per row', () => {
    const columns: CsvColumn<{ readonly n: number }>[] = [
      ['n', ({ n }) => n],
      ['square', ({ n }) => n * n],
    ];
    expect(csvHeader(columns, 'comma') + csvLines(columns, [{ n: 2 }, { n: 3 }], 'comma')).toBe(
      'n,square\r\n2,4\r\n3,9\r\n',
    );
  });
});
