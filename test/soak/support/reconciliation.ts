import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { PaymentBody } from '../../../src/presenters/payment';
import { compareWithLedger, readLedger, type RecordedPayment } from '../../support/scenarios/reconciliation';
import {
  readExplainingRows,
  unexplainedEntries,
  type ExplainingRow,
} from '../../support/scenarios/ledger-explanation';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { readListing, type ListedPaymentItem } from './listing';
import type { SoakMerchant } from './soak-merchant';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/**
 * One merchant's payments in the gateways' ledger, which is authoritative, in the database, in the company's own ledger, and
 * in the API.
 */
export interface MerchantRecords {
  readonly ledger: readonly LedgerEntry[];
  readonly database: readonly StoredPayment[];
  readonly apiPayments: readonly PaymentBody[];
  readonly listing: readonly ListedPaymentItem[];
  /** The gateway ids of abandoned charges that succeeded late and were reversed. */
  readonly reversed: ReadonlySet<string>;
  readonly rows: readonly ExplainingRow[];
}

interface StoredPayment extends RecordedPayment {
  readonly paymentMethod: string;
  readonly paidCents: number | null;
  /** The balance of each recipient from this payment. */
  readonly recipientCents: Readonly<Record<string, number>>;
  /** The same by the company's own ledger. `receivedCents`: what the customer paid. */
  readonly posted: {
    readonly receivedCents: number;
    readonly refundedCents: number;
    readonly recipientCents: Readonly<Record<string, number>>;
  };
}

const READERS = 8;

/** What the gateways did with the merchant's payments, and the rows that explain it. */
export type Movements = Pick<MerchantRecords, 'ledger' | 'rows'>;

export async function readMovements({ environment, companyId }: SoakMerchant): Promise<Movements> {
  const payments = await environment.db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE company_id = $1',
    [companyId],
  );
  const ids = new Set(payments.map(({ id }) => id));
  const entries = await readLedger(environment.simulator.url);
  const ledger = entries.filter(({ reference }) => ids.has(transactionOf(reference)));
  return { ledger, rows: await readExplainingRows(environment.db, { companyId }) };
}

/** The records without charges that gateways made by mistake. */
export function withoutCharges(records: MerchantRecords, charges: ReadonlySet<string>): MerchantRecords {
  return { ...records, ledger: records.ledger.filter(({ charge_id: id }) => !charges.has(id)) };
}

export async function readRecords(merchant: SoakMerchant): Promise<MerchantRecords> {
  const database = await readDatabase(merchant);
  const ids = new Set(database.map(({ transactionId }) => transactionId));
  const movements = await readMovements(merchant);
  const reversed = await readReversed(merchant);
  return {
    ...movements,
    database,
    apiPayments: await readApiPayments(merchant, [...ids]),
    listing: await readListing(merchant),
    reversed,
  };
}

/** Describes every difference between the records: per payment, in total, and per recipient. */
export function reconcile(records: MerchantRecords): string[] {
  const { ledger, database, apiPayments, listing, reversed, rows } = records;
  const stored = new Map(database.map((payment) => [payment.transactionId, payment]));
  const kept = ledger.filter((entry) => !reversed.has(entry.charge_id));
  return [
    ...ledgerViolations(ledger),
    ...unexplainedEntries(ledger, rows),
    ...[...reversed].flatMap((charge) => reversalViolations(charge, ledger)),
    ...compareWithLedger('database', database.map(asCaptured), kept),
    ...compareWithLedger('company ledger', database.map(asPosted), kept),
    ...compareWithLedger('API', apiPayments.map(apiPaymentAsCaptured), kept),
    ...apiPayments.flatMap((payment) => compareApiPayment(payment, stored.get(payment.transaction_id))),
    ...compareListing(listing, stored),
    ...compareTotals(kept, database),
    ...compareRecipients('database', kept, database),
    ...compareRecipients(
      'company ledger',
      kept,
      database.map(({ transactionId, posted: { recipientCents } }) => ({ transactionId, recipientCents })),
    ),
  ];
}

function reversalViolations(charge: string, ledger: readonly LedgerEntry[]): string[] {
  const { captured, refunded, held } = ledgerTotals(ledger.filter(({ charge_id }) => charge_id === charge));
  return captured === refunded && held === 0 ? [] : [`${charge} is a reversed charge that still has money`];
}

/** The ledger's captured amount of a pix or billet is what was paid, even if that is not the payment's amount. */
function asCaptured(payment: StoredPayment): RecordedPayment {
  const { paymentMethod, capturedCents, paidCents } = payment;
  return { ...payment, capturedCents: paymentMethod === 'card' ? capturedCents : (paidCents ?? 0) };
}

function asPosted({ posted, ...payment }: StoredPayment): RecordedPayment {
  return { ...payment, capturedCents: posted.receivedCents, refundedCents: posted.refundedCents };
}

function apiPaymentAsCaptured(payment: PaymentBody): RecordedPayment {
  const { captured_amount, paid_amount, payment_method, amount, status } = payment;
  return {
    transactionId: payment.transaction_id,
    status,
    amountCents: amount,
    capturedCents: (payment_method === 'card' ? captured_amount : paid_amount) ?? 0,
    refundedCents: payment.refunded_amount ?? 0,
  };
}

function compareApiPayment(payment: PaymentBody, stored: StoredPayment | undefined): string[] {
  const agrees =
    stored?.status === payment.status &&
    stored.capturedCents === payment.captured_amount &&
    stored.refundedCents === payment.refunded_amount &&
    stored.paidCents === payment.paid_amount;
  return agrees
    ? []
    : [
        `${payment.transaction_id}: the API has ${JSON.stringify(payment)}, the database ${JSON.stringify(stored)}`,
      ];
}

function compareListing(
  listing: readonly ListedPaymentItem[],
  stored: ReadonlyMap<string, StoredPayment>,
): string[] {
  const listed = new Set(listing.map(({ transaction_id }) => transaction_id));
  const wrong = listing.filter(({ transaction_id, status, amount, payment_method }) => {
    const payment = stored.get(transaction_id);
    return (
      payment?.status !== status || payment.amountCents !== amount || payment.paymentMethod !== payment_method
    );
  });
  return [
    ...(listed.size === listing.length ? [] : [`${listing.length - listed.size} payments are listed twice`]),
    ...[...stored.keys()].filter((id) => !listed.has(id)).map((id) => `${id} is not listed`),
    ...wrong.map((item) => `${item.transaction_id} is listed as ${JSON.stringify(item)}`),
  ];
}

function compareTotals(ledger: readonly LedgerEntry[], database: readonly StoredPayment[]): string[] {
  const { captured, refunded, held } = ledgerTotals(ledger);
  const payments = database.map(asCaptured);
  const total = (of: (payment: RecordedPayment) => number): number =>
    payments.reduce((cents, payment) => cents + of(payment), 0);
  const ours = {
    captured: total(({ capturedCents }) => capturedCents),
    refunded: total(({ refundedCents }) => refundedCents),
    held: total(({ status, amountCents }) => (status === 'authorized' ? amountCents : 0)),
  };
  const agrees = ours.captured === captured && ours.refunded === refunded && ours.held === held;
  return agrees
    ? []
    : [
        `the totals are ${JSON.stringify(ours)}; in the ledger ${JSON.stringify({ captured, refunded, held })}`,
      ];
}

/** Compares every recipient's balance, per payment and in total. */
function compareRecipients(
  source: string,
  ledger: readonly LedgerEntry[],
  payments: ReadonlyArray<Pick<StoredPayment, 'transactionId' | 'recipientCents'>>,
): string[] {
  const byLedger = new Map<string, number>();
  for (const { kind, amount, reference, recipient_id: recipient } of ledger) {
    if (recipient === undefined) continue;
    const signed = kind === 'refunded' ? -amount : amount;
    for (const key of [recipient, `${recipient} of ${transactionOf(reference)}`]) {
      byLedger.set(key, (byLedger.get(key) ?? 0) + signed);
    }
  }
  const bySource = new Map<string, number>();
  for (const { transactionId, recipientCents } of payments) {
    for (const [recipient, cents] of Object.entries(recipientCents)) {
      for (const key of [recipient, `${recipient} of ${transactionId}`]) {
        bySource.set(key, (bySource.get(key) ?? 0) + cents);
      }
    }
  }
  return [...new Set([...byLedger.keys(), ...bySource.keys()])]
    .filter((key) => (byLedger.get(key) ?? 0) !== (bySource.get(key) ?? 0))
    .map(
      (key) => `${key}: ${bySource.get(key) ?? 0} in the ${source}, ${byLedger.get(key) ?? 0} in the ledger`,
    );
}

/** A recipient's cents: the splits of the charge or its capture, less those of its refunds. Disputes are compared on their own. */
const STORED_PAYMENTS = `
  SELECT p.transaction_id AS "transactionId", p.status, p.payment_method AS "paymentMethod",
         p.amount_cents::float8 AS "amountCents", p.captured_amount_cents::float8 AS "capturedCents",
         p.refunded_amount_cents::float8 AS "refundedCents", p.paid_amount_cents::float8 AS "paidCents",
         COALESCE(balances.cents, '{}') AS "recipientCents",
         jsonb_build_object('receivedCents', posted.received, 'refundedCents', posted.refunded,
           'recipientCents', COALESCE(shares.cents, '{}')) AS posted
    FROM payments p
    LEFT JOIN LATERAL (
      SELECT COALESCE(sum(amount_cents) FILTER (WHERE kind <> 'refunded'), 0) AS received,
             COALESCE(-sum(amount_cents) FILTER (WHERE kind = 'refunded'), 0) AS refunded
        FROM ledger_entries e JOIN ledger_postings l ON l.company_id = e.company_id AND l.entry_id = e.id
       WHERE e.company_id = p.company_id AND e.transaction_id = p.transaction_id
         AND account = 'gateway_receivable' AND kind IN ('received', 'accepted', 'refunded')) posted ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_object_agg(recipient_id, cents) AS cents FROM (
        SELECT recipient_id, -sum(amount_cents) AS cents
          FROM ledger_entries e JOIN ledger_postings l ON l.company_id = e.company_id AND l.entry_id = e.id
         WHERE e.company_id = p.company_id AND e.transaction_id = p.transaction_id AND account = 'recipient_payable'
           AND e.kind NOT LIKE 'dispute%'
         GROUP BY recipient_id) recipients) shares ON true
    LEFT JOIN LATERAL (
      SELECT jsonb_object_agg(recipient, cents) AS cents FROM (
        SELECT split->>'recipientId' AS recipient,
               sum(CASE a.operation WHEN 'refund' THEN -1 ELSE 1 END * (split->>'amountCents')::bigint) AS cents
          FROM gateway_attempts a, jsonb_array_elements(a.splits) split
         WHERE a.payment_id = p.id AND a.purpose <> 'reversal' AND jsonb_typeof(a.splits) = 'array'
           AND ((a.operation IN ('charge', 'capture') AND a.status = 'approved')
             OR (a.operation = 'refund' AND a.status = 'refunded'))
         GROUP BY recipient) splits) balances ON true
   WHERE p.company_id = $1`;

function readDatabase({ environment, companyId }: SoakMerchant): Promise<StoredPayment[]> {
  return environment.db.query<StoredPayment>(STORED_PAYMENTS, [companyId]);
}

async function readReversed({ environment, companyId }: SoakMerchant): Promise<ReadonlySet<string>> {
  const rows = await environment.db.query<{ charge: string }>(
    `SELECT gateway_transaction_id AS charge FROM gateway_attempts WHERE company_id = $1 AND purpose = 'reversal'`,
    [companyId],
  );
  return new Set(rows.map(({ charge }) => charge));
}

async function readApiPayments({ backend }: SoakMerchant, ids: string[]): Promise<PaymentBody[]> {
  const payments: PaymentBody[] = [];
  const reader = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) payments.push(await backend.find(id));
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return payments;
}
