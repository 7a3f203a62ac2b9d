/** The value of a cell; null and undefined are empty. */
export type CsvCell = string | number | boolean | Date | null | undefined;

/** A column's name and its cell in a row. */
export type CsvColumn<Row> = readonly [name: string, cell: (row: Row) => CsvCell];

export const CSV_DELIMITERS = { comma: ',', semicolon: ';' } as const;
export type CsvDelimiter = keyof typeof CSV_DELIMITERS;

/** The header line of a table. */
export function csvHeader<Row>(columns: readonly CsvColumn<Row>[], delimiter: CsvDelimiter): string {
  return csvLine(
    columns.map(([name]) => name),
    delimiter,
  );
}

/** The lines of some rows of a table. */
export function csvLines<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  delimiter: CsvDelimiter,
): string {
  return rows
    .map((row) =>
      csvLine(
        columns.map(([, cell]) => cell(row)),
        delimiter,
      ),
    )
    .join('');
}

/** One record of RFC 4180 with its line end. Numbers are plain integers, instants are ISO 8601 in UTC. */
export function csvLine(cells: readonly CsvCell[], delimiter: CsvDelimiter): string {
  return `${cells.map((cell) => quoted(cellText(cell))).join(CSV_DELIMITERS[delimiter])}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'string' ? withoutFormula(cell) : String(cell);
}

/**
 * Where a spreadsheet would see the beginning of a formula: at the beginning of the text, and after what some of them take for
 * the end of a cell, a semicolon or a tab for example. Spaces and quotes before it do not hide it. The full-width signs
 * count too.
 */
const FORMULA = /(^|[;\t\r\n])([\s"']*)([=+\-@＝＋－＠])/g;

/**
 * The text with an apostrophe before whatever a spreadsheet would run as a formula: texts of customers are in the file
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function withoutFormula(text: string): string {
  return text.replace(FORMULA, "$1$2'$3");
}

/** Both delimiters are quoted, so that a file can be read with either. */
function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
