import type { Database } from '../../../src/persistence/sql/transaction';
import { transactionOf } from '../../../src/gateways/simulator/wire';
import { ledgerTotals, type LedgerEntry } from '../../../src/simulator/ledger';
import { describeOutcomes, successIn } from '../../support/merchant/requests';
import { readExplainingRows, unexplainedEntries } from '../../support/scenarios/ledger-explanation';
import {
  compareWithLedger,
  SELECT_RECORDED_PAYMENTS,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';
import { waitFor } from '../../support/stack/wait-for';
import { isAcknowledgedBy, paymentOf, type MerchantRequest } from './merchant-requests';
import type { Renewals } from './renewals';

const SETTLED_WITHIN_MS = 240_000;
/** What is still to be done without a person. */
const UNSETTLED = `
  SELECT 'attempt ' || reference || ' is ' || a.status AS what
    FROM gateway_attempts a WHERE a.status IN ('requested', 'sent', 'unknown', 'accepted')
  UNION ALL SELECT 'payment ' || transaction_id || ' is processing' FROM payments WHERE status = 'processing'
  UNION ALL SELECT 'callback ' || event_id FROM gateway_callbacks WHERE processed_at IS NULL`;

/** Returns when nothing is under way any more. */
export async function waitUntilSettled(db: Database): Promise<void> {
  const isSettled = async () => {
    const left = await db.query<{ what: string }>(UNSETTLED);
    if (left.length > 0) throw new Error(left.map(({ what }) => what).join('; '));
    return true;
  };
  await waitFor(isSettled, { what: 'all to settle', withinMs: SETTLED_WITHIN_MS, everyMs: 500 });
}

/** Whatever a merchant had been told by the moment is in the restored database. */
export async function findLostRequests(
  db: Database,
  requests: readonly MerchantRequest[],
  moment: Date,
): Promise<{ readonly violations: string[]; readonly lostKeys: number }> {
  const known = await db.query<{ key: string }>(
    `SELECT idempotency_key AS key FROM payments WHERE idempotency_key IS NOT NULL
     UNION SELECT idempotency_key FROM gateway_attempts WHERE idempotency_key IS NOT NULL`,
  );
  const keys = new Set(known.map(({ key }) => key));
  const lost = requests.filter(({ key }) => key !== null && !keys.has(key));
  return {
    violations: lost
      .filter((request) => isAcknowledgedBy(moment, request))
      .map((request) => `${describe(request)} was acknowledged before the moment and is not in the database`),
    lostKeys: lost.filter(({ outcomes }) => successIn(outcomes) !== undefined).length,
  };
}

interface Evidence {
  readonly db: Database;
  readonly ledger: readonly LedgerEntry[];
  readonly requests: readonly MerchantRequest[];
  readonly renewals: Renewals;
}

/** Compares what merchants asked for, what the database has and what the gateways did. Returns what is wrong. */
export async function findViolations({ db, ledger, requests, renewals }: Evidence): Promise<string[]> {
  const payments = await db.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS);
  const known = new Set(payments.map(({ transactionId }) => transactionId));
  const decided = await db.query<{ id: string }>(
    `SELECT gateway_transaction_id AS id FROM restored_charges WHERE state = 'settled'`,
  );
  const byHand = new Set(decided.map(({ id }) => id));
  const isByHand = ({ charge_id, reference }: LedgerEntry) =>
    byHand.has(charge_id) && !known.has(transactionOf(reference));
  const others = ledger.filter((entry) => !isByHand(entry));
  const orders = requests.filter(({ kind }) => kind === 'payment');
  return [
    ...kept(ledger.filter(isByHand)),
    ...compareWithLedger('database', payments, others),
    ...unexplainedEntries(others, await readExplainingRows(db, 'all')),
    ...orders.flatMap((order) => chargedTwice(order, ledger)),
    ...orders.flatMap((order) => wronglyRefunded(order, requests, ledger)),
    ...requests.flatMap(answeredOtherwise),
    ...(await wronglyRenewed(db, renewals)),
  ];
}

/** A charge that no payment has was given back. */
function kept(entries: readonly LedgerEntry[]): string[] {
  return [...new Set(entries.map(({ charge_id }) => charge_id))].flatMap((id) => {
    const { captured, refunded, held } = ledgerTotals(entries.filter(({ charge_id }) => charge_id === id));
    return captured === refunded && held === 0 ? [] : [`${id}: no payment has it, and its money was kept`];
  });
}

/** The amount of a payment is unique, so this needs none of the service's own records. */
function chargedTwice(order: MerchantRequest, ledger: readonly LedgerEntry[]): string[] {
  const ids = new Set(
    ledger.filter(({ amount }) => amount === order.amount).map(({ charge_id }) => charge_id),
  );
  const made = [...ids]
    .map((id) => ledger.filter(({ charge_id }) => charge_id === id))
    .filter((entries) => {
      const { captured, held } = ledgerTotals(entries);
      return captured > 0 || held > 0;
    });
  const transactions = new Set(made.map(([first]) => transactionOf(first?.reference ?? '')));
  return [
    ...(made.length > 1 ? [`${describe(order)} was charged ${made.length} times`] : []),
    ...(transactions.size > 1 ? [`${describe(order)} became ${[...transactions].join(' and ')}`] : []),
  ];
}

/** Each refund was made once: all that were acknowledged, and none that was not asked for. */
function wronglyRefunded(
  order: MerchantRequest,
  requests: readonly MerchantRequest[],
  ledger: readonly LedgerEntry[],
): string[] {
  const id = paymentOf(order)?.transaction_id;
  if (id === undefined || order.key === null) return [];
  const refunds = requests.filter(({ kind, payment }) => kind === 'refund' && payment === order);
  const sum = (of: readonly MerchantRequest[]) => of.reduce((total, { amount }) => total + amount, 0);
  const acknowledged = sum(
    refunds.filter((each) => successIn([...each.outcomes, ...each.outcomesAgain]) !== undefined),
  );
  const { refunded } = ledgerTotals(ledger.filter(({ reference }) => transactionOf(reference) === id));
  if (refunded >= acknowledged && refunded <= sum(refunds)) return [];
  return [
    `${describe(order)}: refunded ${refunded}; refunds of ${acknowledged} were acknowledged, of ${sum(refunds)} were asked for`,
  ];
}

/** The same key gets the same payment again. */
function answeredOtherwise(request: MerchantRequest): string[] {
  const { outcomesAgain } = request;
  const before = paymentOf(request)?.transaction_id;
  const after = paymentOf({ outcomes: outcomesAgain })?.transaction_id;
  if (outcomesAgain.length === 0) return [];
  if (after === undefined && request.kind === 'payment')
    return [`${describe(request)}, sent again: ${describeOutcomes(outcomesAgain)}`];
  const isOther = before !== undefined && after !== undefined && before !== after;
  return isOther ? [`${describe(request)} was ${before} and is now ${after}`] : [];
}

/**
 * No week is paid twice. There may be fewer charges than weeks: the period of a charge that waits for its gateway begins when it is made,
 * and a test clock goes on for weeks meanwhile.
 */
async function wronglyRenewed(db: Database, { expectedCharges }: Renewals): Promise<string[]> {
  const row = await db.queryOne<{ count: number }>(
    "SELECT count(*)::int AS count FROM payments WHERE subscription_id IS NOT NULL AND status = 'approved'",
  );
  const overlapping = await db.query<{ name: string }>(
    `SELECT format('cycles %s and %s of subscription %s', one.number, other.number, one.subscription_id) AS name
       FROM billing_cycles one JOIN billing_cycles other ON other.subscription_id = one.subscription_id AND other.number > one.number
      WHERE other.period_start < one.period_end AND one.status = 'paid' AND other.status = 'paid'`,
  );
  const count = row?.count ?? 0;
  return [
    ...(count <= expectedCharges
      ? []
      : [`subscriptions were charged ${count} times for ${expectedCharges} weeks`]),
    ...overlapping.map(({ name }) => `${name} are both paid`),
  ];
}

export function describe(request: MerchantRequest): string {
  const { kind, amount, payment } = request;
  const id = paymentOf(payment ?? request)?.transaction_id ?? 'without an id';
  return `the ${kind} of ${amount} (payment ${id})`;
}
