import { DateTime } from 'luxon';
import { nextBankDay } from '../../domain/payments/billet-calendar';
import { netOf, type StatementLineKind } from '../../domain/settlement/statement-line';
import { BRASILIA, dateIn } from '../../domain/time/timezone';
import type { WireStatementLine } from '../../gateways/simulator/wire-statement';
import type { StoredCharge } from '../charge-store';
import type { LedgerEntry } from '../ledger';

/** What the account got before the day of its receivables. */
export interface Anticipation {
  readonly chargeId: string;
  readonly day: string;
  /** Cents, for each installment, besides its usual fee. */
  readonly cost: number;
}

const DAYS_BETWEEN_INSTALLMENTS = 30;
const CARD_PERCENT = 3;
const PIX_PERCENT = 1;
const BILLET_CENTS = 200;

/** Every line that a charge has had, or will have, in the statements of its account. */
export function linesOfCharge(
  charge: StoredCharge,
  entries: readonly LedgerEntry[],
  anticipation: Anticipation | null,
): WireStatementLine[] {
  return entries.flatMap((entry) => {
    switch (entry.kind) {
      case 'captured':
        return captureLines(charge, entry, anticipation);
      case 'refunded':
        return refundLines(charge, entries, entry);
      case 'disputed':
        return [deduction('chargeback', charge, entry)];
      case 'dispute_returned':
        return [deduction('chargeback_returned', charge, entry)];
      default:
        return [];
    }
  });
}

function captureLines(
  charge: StoredCharge,
  entry: LedgerEntry,
  anticipation: Anticipation | null,
): WireStatementLine[] {
  const day = dayOf(entry);
  const count = charge.method === 'card' ? (charge.installments ?? 1) : 1;
  const amounts = shares(entry.amount, count);
  const fees = shares(feeOf(charge, entry.amount), count);
  const sale = line('sale', charge, entry, { day, amount: entry.amount, fee: fees.reduce((a, b) => a + b) });
  const settled = amounts.map((amount, index) => {
    const installment = count === 1 ? null : index + 1;
    const due = dueDay(charge, day, index + 1);
    const details = { amount, installment, suffix: `-${index + 1}` };
    const fee = fees[index] ?? 0;
    const isEarly = anticipation !== null && anticipation.day < due;
    if (!isEarly) return line('settled', charge, entry, { ...details, day: due, fee });
    const cost = Math.min(anticipation.cost, amount - fee);
    return line('anticipated', charge, entry, { ...details, day: anticipation.day, fee: fee + cost });
  });
  return [sale, ...settled];
}

/** The company's part and each recipient's are entries of their own; the first of them has the line. */
function refundLines(
  charge: StoredCharge,
  entries: readonly LedgerEntry[],
  entry: LedgerEntry,
): WireStatementLine[] {
  const parts = entries.filter(
    ({ kind, reference, created_at: at }) =>
      kind === 'refunded' && reference === entry.reference && at === entry.created_at,
  );
  if (parts[0] !== entry) return [];
  const amount = parts.reduce((sum, part) => sum + part.amount, 0);
  const operation = charge.operations.find(
    (one) => one.operation === 'refund' && one.status === 'refunded' && one.at === entry.created_at,
  );
  const reference = operation?.reference ?? entry.reference;
  return [line('refund', charge, { ...entry, reference }, { day: dayAfter(entry), amount, fee: 0 })];
}

function deduction(
  kind: 'chargeback' | 'chargeback_returned',
  charge: StoredCharge,
  entry: LedgerEntry,
): WireStatementLine {
  return line(kind, charge, entry, { day: dayAfter(entry), amount: entry.amount, fee: 0 });
}

interface LineDetails {
  readonly day: string;
  readonly amount: number;
  readonly fee: number;
  readonly installment?: number | null;
  readonly suffix?: string;
}

function line(
  kind: StatementLineKind,
  charge: StoredCharge,
  entry: LedgerEntry,
  { day, amount, fee, installment = null, suffix = '' }: LineDetails,
): WireStatementLine {
  return {
    id: `${kind}-${entry.id}${suffix}`,
    kind,
    day,
    reference: entry.reference,
    charge_id: charge.id,
    dispute_id: entry.dispute_id ?? null,
    amount,
    fee,
    net: netOf({ kind, amountCents: amount, feeCents: fee }),
    currency: charge.currency,
    installment,
    occurred_at: entry.created_at,
  };
}

/** What a script has set, else the usual fee of the method. */
function feeOf({ fee, method }: StoredCharge, amount: number): number {
  if (fee > 0) return Math.min(fee, amount);
  switch (method) {
    case 'card':
      return Math.round((amount * CARD_PERCENT) / 100);
    case 'pix':
      return Math.round((amount * PIX_PERCENT) / 100);
    case 'billet':
      return Math.min(BILLET_CENTS, amount);
  }
}

/** The first share takes the remainder. */
function shares(total: number, count: number): number[] {
  const each = Math.floor(total / count);
  return Array.from({ length: count }, (_, index) => (index === 0 ? total - each * (count - 1) : each));
}

function dueDay({ method }: StoredCharge, day: string, installment: number): string {
  switch (method) {
    case 'card':
      return nextBankDay(plusDays(day, DAYS_BETWEEN_INSTALLMENTS * installment));
    case 'pix':
      return day;
    case 'billet':
      return nextBankDay(plusDays(day, 1));
  }
}

/** Deductions are made on the next day on which banks are open. */
function dayAfter(entry: LedgerEntry): string {
  return nextBankDay(plusDays(dayOf(entry), 1));
}

function dayOf({ created_at: at }: LedgerEntry): string {
  return dateIn(BRASILIA, new Date(at));
}

function plusDays(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd');
}
