import { STATEMENT_LINE_KINDS, type StatementLine, type StatementLineKind } from './statement-line';
import { isCurrency } from '../shared/currency';

/** The columns of an uploaded statement. Others are ignored; the order is free. */
export const STATEMENT_COLUMNS = [
  'line_id',
  'kind',
  'day',
  'reference',
  'gateway_transaction_id',
  'dispute_id',
  'amount',
  'fee',
  'net',
  'currency',
  'installment',
  'occurred_at',
] as const;
type StatementColumn = (typeof STATEMENT_COLUMNS)[number];
/** Those that a file may lack. */
const OPTIONAL: readonly StatementColumn[] = [
  'reference',
  'gateway_transaction_id',
  'dispute_id',
  'installment',
  'occurred_at',
];

const MAX_TEXT = 255;
const MAX_LINE = 10_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INTEGER = /^-?\d{1,15}$/;

/** The records of a CSV file (RFC 4180), as the text comes: comma or semicolon, with or without quotes. */
export class CsvRecords {
  private rest = '';
  private delimiter: ',' | ';' | null = null;

  /** The complete records of the text so far. @throws Error if a record is too long or not CSV */
  push(text: string): string[][] {
    this.rest += text;
    const records: string[][] = [];
    for (;;) {
      const end = recordEnd(this.rest);
      if (end < 0) break;
      records.push(...this.read(this.rest.slice(0, end)));
      this.rest = this.rest.slice(end + 1);
    }
    if (this.rest.length > MAX_LINE) throw new Error(`a line has more than ${MAX_LINE} characters`);
    return records;
  }

  /** The last record, without a line end. */
  end(): string[][] {
    const { rest } = this;
    this.rest = '';
    return rest === '' ? [] : this.read(rest);
  }

  private read(line: string): string[][] {
    const text = line.replace(/\r$/, '').replace(/^\uFEFF/, '');
    if (text === '') return [];
    this.delimiter ??= text.includes(';') ? ';' : ',';
    return [cellsOf(text, this.delimiter)];
  }
}

/** Where the first line end outside quotes is; -1 if there is none. */
function recordEnd(text: string): number {
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === '"') quoted = !quoted;
    else if (char === '\n' && !quoted) return index;
  }
  return -1;
}

function cellsOf(line: string, delimiter: ',' | ';'): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index];
    if (char === '"' && quoted && line[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (char === '"') quoted = !quoted;
    else if (char === delimiter && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  if (quoted) throw new Error('a quote is not closed');
  return [...cells, cell];
}

/** Reads the records of a statement after its header. */
export class StatementRecordReader {
  private constructor(private readonly indexes: ReadonlyMap<string, number>) {}

  /** @throws Error that names the missing columns */
  static of(header: readonly string[]): StatementRecordReader {
    const names = header.map((name) => name.trim().toLowerCase());
    const missing = STATEMENT_COLUMNS.filter((name) => !OPTIONAL.includes(name) && !names.includes(name));
    if (missing.length > 0) throw new Error(`the header lacks ${missing.join(', ')}`);
    return new StatementRecordReader(new Map(names.map((name, index) => [name, index])));
  }

  /** @throws Error that names the wrong column */
  read(record: readonly string[]): StatementLine {
    const text = (name: StatementColumn): string => record[this.indexes.get(name) ?? -1]?.trim() ?? '';
    const optional = (name: StatementColumn): string | null =>
      text(name) === '' ? null : bounded(name, text(name));
    const lineId = optional('line_id');
    if (lineId === null) throw new Error('line_id is required');
    const kind = STATEMENT_LINE_KINDS.find((known): known is StatementLineKind => known === text('kind'));
    if (kind === undefined) throw new Error(`kind must be one of ${STATEMENT_LINE_KINDS.join(', ')}`);
    const currency = text('currency').toUpperCase();
    if (!isCurrency(currency)) throw new Error('currency must be a code of ISO 4217, such as BRL');
    const installment = optional('installment');
    return {
      lineId,
      kind,
      day: dayOf(text('day')),
      reference: optional('reference'),
      gatewayTransactionId: optional('gateway_transaction_id'),
      disputeId: optional('dispute_id'),
      amountCents: cents('amount', text('amount'), 0),
      feeCents: cents('fee', text('fee'), 0),
      netCents: cents('net', text('net')),
      currency,
      installment: installment === null ? null : cents('installment', installment, 1),
      occurredAt: instantOf(optional('occurred_at')),
    };
  }
}

function bounded(name: string, text: string): string {
  if (text.length > MAX_TEXT) throw new Error(`${name} must have at most ${MAX_TEXT} characters`);
  return text;
}

function cents(name: string, text: string, min = -Infinity): number {
  const value = Number(text);
  if (!INTEGER.test(text) || value < min)
    throw new Error(
      `${name} must be an integer${min === -Infinity ? '' : ` of at least ${min}`}; amounts are in cents`,
    );
  return value;
}

function dayOf(text: string): string {
  const isDay = DAY.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
  if (!isDay) throw new Error('day must be a date, YYYY-MM-DD');
  return text;
}

function instantOf(text: string | null): Date | null {
  if (text === null) return null;
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text) || Number.isNaN(at.getTime()))
    throw new Error('occurred_at must be an instant in ISO 8601');
  return at;
}
