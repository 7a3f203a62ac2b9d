import { randomUUID } from 'node:crypto';
import { netOf } from '../../domain/settlement/statement-line';
import type { WireStatementLine } from '../../gateways/simulator/wire-statement';

/** The errors that can be planted into a statement. */
export const STATEMENT_ERRORS = [
  /** A sale is left out. */
  'missing',
  /** A settled or anticipated receivable is left out. */
  'missing_settlement',
  /** A refund is left out. */
  'missing_refund',
  /** A charge that nobody made. */
  'unknown',
  /** A refund that nobody made, of a charge that exists. */
  'unknown_refund',
  /** A chargeback that was never reported, of a charge that exists. */
  'unknown_dispute',
  /** A sale of another amount. */
  'amount',
  /** A receivable is settled with another amount. */
  'settled_amount',
  /** A settled receivable has another fee than its sale. */
  'fee',
  /** The net is not the amount less the fee. */
  'net',
  /** The same line again. */
  'duplicate',
  /** A second charge of our reference, with an id of its own. */
  'double_charge',
  /** A line that names another day. */
  'wrong_day',
  'currency',
  /** An installment that the charge does not have. */
  'installment',
] as const;
export type StatementError = (typeof STATEMENT_ERRORS)[number];

/** How much a planted error differs, in cents. */
const DIFFERENCE = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The statement with and without the error. */
export interface PlannedError {
  readonly removes: string | null;
  readonly adds: readonly WireStatementLine[];
}

/** Whether a line of the statement can get this error. */
export function canHave(error: StatementError, line: WireStatementLine): boolean {
  switch (error) {
    case 'missing':
    case 'amount':
    case 'double_charge':
    case 'currency':
    case 'unknown':
    case 'unknown_refund':
    case 'unknown_dispute':
      return line.kind === 'sale';
    case 'missing_settlement':
    case 'settled_amount':
    case 'installment':
      return line.kind === 'settled' || line.kind === 'anticipated';
    case 'fee':
      return line.kind === 'settled' && line.amount - line.fee > DIFFERENCE;
    case 'missing_refund':
      return line.kind === 'refund';
    case 'net':
    case 'duplicate':
    case 'wrong_day':
      return line.kind === 'sale' || line.kind === 'settled';
  }
}

/** The error, in a line or because of it. */
export function plan(error: StatementError, line: WireStatementLine): PlannedError {
  const id = `${error}-${randomUUID()}`;
  const replacedBy = (change: Partial<WireStatementLine>): PlannedError => ({
    removes: line.id,
    adds: [{ ...line, ...change }],
  });
  const also = (change: Partial<WireStatementLine>): PlannedError => ({
    removes: null,
    adds: [withNet({ ...line, id, ...change })],
  });
  switch (error) {
    case 'missing':
    case 'missing_settlement':
    case 'missing_refund':
      return { removes: line.id, adds: [] };
    case 'unknown':
      return also({ reference: `${randomUUID()}-1`, charge_id: `ch_${randomUUID()}` });
    case 'unknown_refund':
      return also({ kind: 'refund', reference: `refund_${randomUUID()}`, amount: DIFFERENCE, fee: 0 });
    case 'unknown_dispute':
      return also({ kind: 'chargeback', dispute_id: `dp_${randomUUID()}`, amount: DIFFERENCE, fee: 0 });
    case 'amount':
    case 'settled_amount': {
      const amount = line.amount + DIFFERENCE;
      return replacedBy({ amount, net: line.net + DIFFERENCE });
    }
    case 'fee':
      return replacedBy({ fee: line.fee + DIFFERENCE, net: line.net - DIFFERENCE });
    case 'net':
      return replacedBy({ net: line.net - DIFFERENCE });
    case 'duplicate':
      return { removes: null, adds: [line] };
    case 'double_charge':
      return also({ charge_id: `ch_${randomUUID()}` });
    case 'wrong_day':
      return replacedBy({ day: earlierDay(line.day) });
    case 'currency':
      return replacedBy({ currency: line.currency === 'USD' ? 'EUR' : 'USD' });
    case 'installment':
      return replacedBy({ installment: (line.installment ?? 1) + 24 });
  }
}

function withNet(line: WireStatementLine): WireStatementLine {
  return { ...line, net: netOf({ kind: line.kind, amountCents: line.amount, feeCents: line.fee }) };
}

function earlierDay(day: string): string {
  // Two days, so that it is not a matter of midnight.
  return new Date(Date.parse(day) - 2 * DAY_MS).toISOString().slice(0, 10);
}
