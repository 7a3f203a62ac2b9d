import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { PaymentBody } from '../../../src/presenters/payment';
import { disagreements, readLedger, type BookedPayment } from '../../bench/support/reconciliation';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { readListing, type ListedPayment } from './listing';
import type { Shop } from './soak-merchant';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/** Every book of one shop: the gateways', which is the truth, the database's, and what the API tells and lists. */
export interface Books {
  readonly ledger: readonly LedgerEntry[];
  readonly database: readonly StoredPayment[];
  readonly told: readonly PaymentBody[];
  readonly listing: readonly ListedPayment[];
  /** Charges by the gateways' ids that were given up, came through after all, and were given back. */
  readonly reversed: ReadonlySet<string>;
}

interface StoredPayment extends BookedPayment {
  readonly paymentMethod: string;
  readonly paidCents: number | null;
  /** What each recipient has of it. */
  readonly shares: Readonly<Record<string, number>>;
}

const READERS = 8;

export async function readBooks(shop: Shop): Promise<Books> {
  const database = await readDatabase(shop);
  const ids = new Set(database.map(({ transactionId }) => transactionId));
  const everything = await readLedger(shop.world.simulator.url);
  const ledger = everything.filter(({ reference }) => ids.has(transactionOf(reference)));
  const reversed = await readReversed(shop);
  return {
    ledger,
    database,
    told: await readEach(shop, [...ids]),
    listing: await readListing(shop),
    reversed,
  };
}

/** Where the books disagree, in words: payment by payment, in total, and by recipient. */
export function compareBooks({ ledger, database, told, listing, reversed }: Books): string[] {
  const stored = new Map(database.map((payment) => [payment.transactionId, payment]));
  const kept = ledger.filter((entry) => !reversed.has(entry.charge_id));
  return [
    ...ledgerViolations(ledger),
    ...[...reversed].flatMap((charge) => stillHeld(charge, ledger)),
    ...disagreements('database', database.map(asTaken), kept),
    ...disagreements('answers', told.map(asToldTaken), kept),
    ...told.flatMap((payment) => compareAnswer(payment, stored.get(payment.transaction_id))),
    ...compareListing(listing, stored),
    ...compareTotals(kept, database),
    ...compareShares(kept, database),
  ];
}

function stillHeld(charge: string, ledger: readonly LedgerEntry[]): string[] {
  const { captured, refunded, held } = ledgerTotals(ledger.filter(({ charge_id }) => charge_id === charge));
  return captured === refunded && held === 0 ? [] : [`${charge} was to be given back and was not`];
}

/** A pix or billet brings what was paid, whatever was asked for. */
function asTaken(payment: StoredPayment): BookedPayment {
  const { paymentMethod, capturedCents, paidCents } = payment;
  return { ...payment, capturedCents: paymentMethod === 'card' ? capturedCents : (paidCents ?? 0) };
}

function asToldTaken(payment: PaymentBody): BookedPayment {
  const { captured_amount, paid_amount, payment_method, amount, status } = payment;
  return {
    transactionId: payment.transaction_id,
    status,
    amountCents: amount,
    capturedCents: (payment_method === 'card' ? captured_amount : paid_amount) ?? 0,
    refundedCents: payment.refunded_amount ?? 0,
  };
}

function compareAnswer(told: PaymentBody, stored: StoredPayment | undefined): string[] {
  const agrees =
    stored?.status === told.status &&
    stored.capturedCents === told.captured_amount &&
    stored.refundedCents === told.refunded_amount &&
    stored.paidCents === told.paid_amount;
  return agrees
    ? []
    : [`${told.transaction_id}: told ${JSON.stringify(told)}, stored ${JSON.stringify(stored)}`];
}

function compareListing(
  listing: readonly ListedPayment[],
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
  const payments = database.map(asTaken);
  const total = (of: (payment: BookedPayment) => number): number =>
    payments.reduce((cents, payment) => cents + of(payment), 0);
  const ours = {
    captured: total(({ capturedCents }) => capturedCents),
    refunded: total(({ refundedCents }) => refundedCents),
    held: total(({ status, amountCents }) => (status === 'authorized' ? amountCents : 0)),
  };
  const agrees = ours.captured === captured && ours.refunded === refunded && ours.held === held;
  return agrees
    ? []
    : [`in total ${JSON.stringify(ours)}; the ledger ${JSON.stringify({ captured, refunded, held })}`];
}

/** What every recipient has, of each payment and of all of them. */
function compareShares(ledger: readonly LedgerEntry[], database: readonly StoredPayment[]): string[] {
  const byLedger = new Map<string, number>();
  for (const { kind, amount, reference, recipient_id: recipient } of ledger) {
    if (recipient === undefined) continue;
    const signed = kind === 'refunded' ? -amount : amount;
    for (const key of [recipient, `${recipient} of ${transactionOf(reference)}`]) {
      byLedger.set(key, (byLedger.get(key) ?? 0) + signed);
    }
  }
  const byDatabase = new Map<string, number>();
  for (const { transactionId, shares } of database) {
    for (const [recipient, cents] of Object.entries(shares)) {
      for (const key of [recipient, `${recipient} of ${transactionId}`]) {
        byDatabase.set(key, (byDatabase.get(key) ?? 0) + cents);
      }
    }
  }
  return [...new Set([...byLedger.keys(), ...byDatabase.keys()])]
    .filter((key) => (byLedger.get(key) ?? 0) !== (byDatabase.get(key) ?? 0))
    .map(
      (key) => `${key}: ${byDatabase.get(key) ?? 0} by our splits, ${byLedger.get(key) ?? 0} in the ledger`,
    );
}

/** Who got what with the charge or its capture, less what was taken back with refunds. */
const STORED_PAYMENTS = `
  SELECT p.transaction_id AS "transactionId", p.status, p.payment_method AS "paymentMethod",
         p.amount_cents::float8 AS "amountCents", p.captured_amount_cents::float8 AS "capturedCents",
         p.refunded_amount_cents::float8 AS "refundedCents", p.paid_amount_cents::float8 AS "paidCents",
         COALESCE(shares.of, '{}') AS shares
    FROM payments p
    LEFT JOIN LATERAL (
      SELECT jsonb_object_agg(recipient, cents) AS of FROM (
        SELECT part->>'recipientId' AS recipient,
               sum(CASE a.operation WHEN 'refund' THEN -1 ELSE 1 END * (part->>'amountCents')::bigint) AS cents
          FROM gateway_attempts a, jsonb_array_elements(a.splits) part
         WHERE a.payment_id = p.id AND a.purpose <> 'reversal' AND jsonb_typeof(a.splits) = 'array'
           AND ((a.operation IN ('charge', 'capture') AND a.status = 'approved')
             OR (a.operation = 'refund' AND a.status = 'refunded'))
         GROUP BY recipient) parts) shares ON true
   WHERE p.company_id = $1`;

function readDatabase({ world, companyId }: Shop): Promise<StoredPayment[]> {
  return world.db.query<StoredPayment>(STORED_PAYMENTS, [companyId]);
}

async function readReversed({ world, companyId }: Shop): Promise<ReadonlySet<string>> {
  const rows = await world.db.query<{ charge: string }>(
    `SELECT gateway_transaction_id AS charge FROM gateway_attempts WHERE company_id = $1 AND purpose = 'reversal'`,
    [companyId],
  );
  return new Set(rows.map(({ charge }) => charge));
}

async function readEach({ backend }: Shop, ids: string[]): Promise<PaymentBody[]> {
  const told: PaymentBody[] = [];
  const reader = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) told.push(await backend.find(id));
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return told;
}
