import type {
  AttemptOperation,
  AttemptPurpose,
  AttemptStatus,
  PaymentMethod,
} from '../../../src/domain/payments/payment';
import type { Database } from '../../../src/persistence/sql/transaction';
import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';

/** A row of `gateway_attempts` that may explain entries of the gateways' ledger. Amounts in cents. */
export interface ExplainingRow {
  readonly id: string;
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  /** The sum of the recipients' shares; null without splits. */
  readonly splitCents: number | null;
  readonly reference: string;
  readonly gatewayTransactionId: string | null;
  readonly targetAttemptId: string | null;
  readonly paymentMethod: PaymentMethod;
  readonly paymentAmountCents: number;
  /** What the payment's customer paid by pix or boleto. */
  readonly paidCents: number | null;
}

const EXPLAINING_ROWS = `
  SELECT a.id, a.operation, a.purpose, a.status, a.amount_cents::float8 AS "amountCents", a.reference,
         (SELECT sum((split->>'amountCents')::bigint)::float8 FROM jsonb_array_elements(
            CASE WHEN jsonb_typeof(a.splits) = 'array' THEN a.splits END) split) AS "splitCents",
         a.gateway_transaction_id AS "gatewayTransactionId", a.target_attempt_id AS "targetAttemptId",
         p.payment_method AS "paymentMethod", p.amount_cents::float8 AS "paymentAmountCents",
         p.paid_amount_cents::float8 AS "paidCents"
    FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
   WHERE a.operation <> 'inquiry'`;

/** The rows of a payment, of the payments of a company or a subscription, or of all payments. */
export function readExplainingRows(
  db: Database,
  of:
    | { readonly transactionId: string }
    | { readonly companyId: number }
    | { readonly subscriptionId: string }
    | 'all',
): Promise<ExplainingRow[]> {
  if (of === 'all') return db.query<ExplainingRow>(EXPLAINING_ROWS, []);
  if ('transactionId' in of)
    return db.query<ExplainingRow>(`${EXPLAINING_ROWS} AND p.transaction_id = $1`, [of.transactionId]);
  if ('subscriptionId' in of)
    return db.query<ExplainingRow>(`${EXPLAINING_ROWS} AND p.subscription_id = $1`, [of.subscriptionId]);
  return db.query<ExplainingRow>(`${EXPLAINING_ROWS} AND p.company_id = $1`, [of.companyId]);
}

/**
 * Every cent in the gateways' ledger is explained by a row: what was charged, captured, released, refunded and shared, to
 * the cent and by reference; and every row that says that money moved has its entries. Call it once every operation has
 * ended. Returns the violations.
 */
export function unexplainedEntries(
  entries: readonly LedgerEntry[],
  rows: readonly ExplainingRow[],
): string[] {
  const charges = groupBy(entries, ({ charge_id }) => charge_id);
  const ofLedger = [...charges].flatMap(([charge, ofCharge]) => chargeViolations(charge, ofCharge, rows));
  const known = new Set([...charges.values()].flatMap(([first]) => first?.reference ?? []));
  const missing = rows.filter((row) => isCharge(row) && movedMoney(row) && !known.has(row.reference));
  return [
    ...ofLedger,
    ...missing.map(({ reference, status }) => `${reference} is ${status}; the ledger has no such charge`),
  ];
}

function chargeViolations(
  charge: string,
  entries: readonly LedgerEntry[],
  rows: readonly ExplainingRow[],
): string[] {
  // The first entry of a charge has the reference of its creation.
  const reference = entries[0]?.reference ?? '';
  const row = rows.find((each) => isCharge(each) && each.reference === reference);
  if (row === undefined) return [`${charge}: no row explains the charge ${reference}`];
  const actual = actualTotals(entries);
  const expected = expectedTotals(charge, row, rows, actual.refunds);
  return JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [
        `${charge} (${reference}, ${row.status}): ${JSON.stringify(actual)}; the rows explain ${JSON.stringify(expected)}`,
      ];
}

/** Cents. `refunds` by the reference of the request; those made at the gateway have none of ours. */
interface ExplainedTotals {
  readonly captured: number;
  readonly held: number;
  readonly shared: number;
  readonly refunds: Readonly<Record<string, number>>;
}

const MADE_AT_GATEWAY = 'made at the gateway';

function actualTotals(entries: readonly LedgerEntry[]): ExplainedTotals {
  const { captured, held } = ledgerTotals(entries);
  const refunded = entries.filter(({ kind }) => kind === 'refunded');
  const creation = entries[0]?.reference;
  const byReference = groupBy(refunded, ({ reference }) =>
    reference === creation ? MADE_AT_GATEWAY : reference,
  );
  const shared = entries.filter(({ kind }) => kind === 'split' || kind === 'fee');
  const hasSplits = shared.some(({ kind }) => kind === 'split');
  return {
    captured,
    held,
    shared: hasSplits ? sum(shared) : 0,
    refunds: sorted([...byReference].map(([reference, of]) => [reference, sum(of)])),
  };
}

function expectedTotals(
  charge: string,
  row: ExplainingRow,
  rows: readonly ExplainingRow[],
  actualRefunds: ExplainedTotals['refunds'],
): ExplainedTotals {
  const operations = rows.filter(({ targetAttemptId }) => targetAttemptId === row.id);
  const reversals = operations.filter(
    (each) => each.purpose === 'reversal' && each.gatewayTransactionId === charge && movedMoney(each),
  );
  const isPaymentsCharge = isHolding(row) && [null, charge].includes(row.gatewayTransactionId);
  if (!isPaymentsCharge) return givenBack(row, reversals, actualRefunds);
  const own = operations.filter((each) => each.purpose !== 'reversal' && movedMoney(each));
  const refunds = own.filter(({ operation }) => operation === 'refund');
  const captured = capturedCents(row, own);
  const isOver = own.some(({ operation }) => operation === 'capture' || operation === 'cancel');
  return {
    captured,
    held: row.operation === 'authorize' && !isOver ? row.amountCents : 0,
    shared: sharedCents(row, own, captured),
    refunds: refundsByReference(refunds),
  };
}

/** A charge that is not part of its payment: all of it was given back, by a reversal of ours or by the gateway. */
function givenBack(
  row: ExplainingRow,
  reversals: readonly ExplainingRow[],
  actualRefunds: ExplainedTotals['refunds'],
): ExplainedTotals {
  const refunds = reversals.filter(({ operation }) => operation === 'refund');
  // The gateway had returned the charge before its answer arrived: the row is an error with the gateway's id.
  const wasReturned = row.status === 'error' && row.gatewayTransactionId !== null && reversals.length === 0;
  const returned = wasReturned ? actualRefunds : refundsByReference(refunds);
  const captured = Object.values(returned).reduce((total, cents) => total + cents, 0);
  const shared = captured === row.amountCents ? (row.splitCents ?? 0) : 0;
  return { captured, held: 0, shared, refunds: returned };
}

function capturedCents(row: ExplainingRow, operations: readonly ExplainingRow[]): number {
  if (row.paymentMethod !== 'card') return row.paidCents ?? 0;
  if (row.operation === 'charge') return row.amountCents;
  return operations.find(({ operation }) => operation === 'capture')?.amountCents ?? 0;
}

/** The recipients share what was captured, or the whole amount of a pix or boleto that was paid in full. */
function sharedCents(row: ExplainingRow, operations: readonly ExplainingRow[], captured: number): number {
  if (row.paymentMethod !== 'card') return captured >= row.paymentAmountCents ? (row.splitCents ?? 0) : 0;
  if (row.operation === 'charge') return row.splitCents ?? 0;
  return operations.find(({ operation }) => operation === 'capture')?.splitCents ?? 0;
}

function refundsByReference(refunds: readonly ExplainingRow[]): Readonly<Record<string, number>> {
  const byReference = groupBy(refunds, ({ purpose, reference }) =>
    purpose === 'found_at_gateway' ? MADE_AT_GATEWAY : reference,
  );
  return sorted(
    [...byReference].map(([reference, of]) => [
      reference,
      of.reduce((total, { amountCents }) => total + amountCents, 0),
    ]),
  );
}

function isCharge({ operation }: ExplainingRow): boolean {
  return operation === 'charge' || operation === 'authorize';
}

function isHolding({ status }: ExplainingRow): boolean {
  return status === 'approved' || status === 'authorized' || status === 'pending';
}

function movedMoney(row: ExplainingRow): boolean {
  return isHolding(row) || row.status === 'canceled' || row.status === 'refunded';
}

function sum(entries: readonly LedgerEntry[]): number {
  return entries.reduce((total, { amount }) => total + amount, 0);
}

/** In the order of the keys, so that two of them can be compared as text. */
function sorted(entries: ReadonlyArray<readonly [string, number]>): Readonly<Record<string, number>> {
  return Object.fromEntries([...entries].sort(([one], [other]) => one.localeCompare(other)));
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
