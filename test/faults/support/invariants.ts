import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import { transactionOf } from '../../../src/gateways/simulator/wire';
import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { PaymentBody } from '../../../src/presenters/payment';
import {
  resultOf,
  transactionIdOf,
  type MerchantOperation,
  type MerchantOrder,
} from '../../support/merchant/merchant';
import {
  describeOutcome,
  describeOutcomes,
  isRejected,
  successIn,
  type HttpOutcome,
  type SendOutcome,
} from '../../support/merchant/requests';
import { readExplainingRows, unexplainedEntries } from '../../support/scenarios/ledger-explanation';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { readLedger } from '../../support/scenarios/reconciliation';
import { IS_ASKED_AGAIN } from '../../support/scenarios/asked-again';
import { waitFor } from '../../support/stack/wait-for';
import type { FaultStack } from './fault-stack';
import type { Operator } from './operator';
import { illegalTransitions } from './transitions';

/**
 * I1 each payment is charged once. I2 each acknowledged payment ends, under one id. I3 its state is the ledger's.
 * I4 its events are delivered (`webhook-listener.ts`). I6 a key always gets the same result. I7 statuses change only as
 * allowed (`transitions.ts`). I8 no secret leaks (`secret-search.ts`). I10 every cent of the ledger is explained by a row.
 * I11 periods of subscriptions are paid at the price of their plan, by any route to it (`test/support/subscriptions`).
 */

/** Many times the usual duration: the machine may be slow, and a payment that never settles is still reported. */
const SETTLED_WITHIN_MS = 240_000;
/** A workflow task that was lost with its worker times out after 10 s. */
const CLOSED_WITHIN_MS = 40_000;

/** Waits until every order and operation has a final response and no attempt at a gateway is open. */
export async function waitUntilSettled(
  stack: FaultStack,
  orders: readonly MerchantOrder[],
  operations: readonly MerchantOperation[] = [],
): Promise<void> {
  await waitFor(
    async () => {
      const pending = [...orders.map(describeOrder), ...operations.map(describeOperation)].filter(
        ({ outcomes }) => successIn(outcomes) === undefined && !isRejected(outcomes),
      );
      if (pending.length > 0) {
        throw new Error(
          `no result yet: ${pending.map(({ name, outcomes }) => `${name}: ${describeOutcomes(outcomes)}`).join('; ')}`,
        );
      }
      const open = await stack.db.query(
        `SELECT a.operation, a.gateway_slug AS gateway, a.status, a.send_count, p.transaction_id
         FROM gateway_attempts a JOIN payments p ON p.id = payment_id
         WHERE a.status IN ('requested', 'sent', 'unknown', 'accepted') AND p.idempotency_key = ANY($1)`,
        [orders.map(({ key }) => key)],
      );
      if (open.length > 0) throw new Error(`still open: ${JSON.stringify(open)}`);
      return true;
    },
    { what: 'every payment to settle', withinMs: SETTLED_WITHIN_MS, everyMs: 100 },
  );
}

/**
 * Descriptions of every violated invariant once everything has settled. Pass the operator if all gateways could be
 * asked throughout: then no payment may have needed a manual review that an inquiry could have avoided. `mistakes`: charges that a
 * gateway made on its own.
 */
export async function invariantViolations(
  stack: FaultStack,
  orders: readonly MerchantOrder[],
  operator?: Operator,
  mistakes: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const entries = await readLedger(stack.simulator.url);
  const ledger = entries.filter(({ charge_id: id }) => !mistakes.has(id));
  const ofOneOff = await withoutSubscriptions(stack, ledger);
  const ofOrders = await Promise.all(orders.map((order) => orderViolations(stack, order, ofOneOff)));
  return [
    ...ledgerViolations(ledger),
    ...ofOrders.flat(),
    ...(await illegalTransitions(stack.db)),
    ...(await leftoverViolations(stack)),
    ...(await avoidableReviewViolations(operator)),
  ];
}

/** An operation is executed once, and its key keeps its response. */
export async function operationViolations(
  stack: FaultStack,
  operation: MerchantOperation,
): Promise<string[]> {
  const { order, kind, outcomes } = operation;
  const first = successIn(outcomes);
  if (first === undefined) return [`the ${kind} has no result: ${describeOutcomes(outcomes)}`];
  const again = await order.merchant.resendOperation(operation);
  const { entries } = await stack.simulator.ledger(transactionIdOf(order));
  const executed = entries.filter(({ reference }) => reference.includes(`-${kind}`));
  return [
    ...(isReplayOf(again, first) ? [] : [`I6: the resent ${kind} got ${describeOutcome(again)}`]),
    ...(executed.length === 1 ? [] : [`I1: the ledger has the ${kind} ${executed.length} times`]),
  ];
}

async function orderViolations(
  stack: FaultStack,
  order: MerchantOrder,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const result = resultOf(order);
  const { name } = describeOrder(order);
  if (result === undefined) return [`${name} has no result: ${describeOutcomes(order.outcomes)}`];
  const current = await order.merchant.find(result.transaction_id);
  const found = [
    ...duplicateChargeViolations(order, result, ledger),
    ...responseViolations(order),
    ...ledgerDifferences(current, ledger),
    ...(await unexplained(stack, current, ledger)),
    ...(await resendViolations(order)),
    ...(await workflowViolations(stack, current)),
  ];
  return found.map((violation) => `${name} (${result.transaction_id}): ${violation}`);
}

/** The entries of one-off payments, whose amounts are unique. A plan change may cost any amount. */
async function withoutSubscriptions(
  { db }: FaultStack,
  ledger: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  const charges = await db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE subscription_id IS NOT NULL',
  );
  const ids = new Set(charges.map(({ id }) => id));
  return ledger.filter(({ reference }) => !ids.has(transactionOf(reference)));
}

/** I1. The amount is unique to this order, so this does not depend on the engine's own tables. */
function duplicateChargeViolations(
  order: MerchantOrder,
  result: PaymentBody,
  ledger: readonly LedgerEntry[],
): string[] {
  const charges = new Map<string, LedgerEntry[]>();
  for (const entry of ledger.filter(({ amount }) => amount === order.amount)) {
    charges.set(entry.charge_id, [...(charges.get(entry.charge_id) ?? []), entry]);
  }
  const active = [...charges.values()].filter((entries) => {
    const { captured, refunded, held } = ledgerTotals(entries);
    return captured - refunded > 0 || held > 0;
  });
  const foreign = [...charges.values()].filter(
    ([first]) => first !== undefined && transactionOf(first.reference) !== result.transaction_id,
  );
  return [
    ...(active.length > 1 ? [`I1: ${active.length} charges of ${order.amount} hold or captured money`] : []),
    ...(foreign.length > 0 ? ['I1: a charge belongs to another payment than the acknowledged one'] : []),
  ];
}

/** I2 and I6 during the run: one payment and one result for the key, and no error except a 503 with Retry-After. */
function responseViolations(order: MerchantOrder): string[] {
  const responses = order.outcomes.filter((outcome) => outcome.kind === 'http');
  const accepted = responses.filter(({ status }) => status === 200 || status === 202);
  const ids = new Set(accepted.map(({ text }) => (JSON.parse(text) as PaymentBody).transaction_id));
  const results = new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text));
  const errors = responses.filter(
    ({ status, retryAfter }) =>
      !(status === 200 || status === 202 || (status === 503 && retryAfter !== null)),
  );
  return [
    ...(ids.size > 1 ? [`I2: one key was acknowledged as ${[...ids].join(' and ')}`] : []),
    ...(results.size > 1 ? ['I6: one key got different results'] : []),
    ...errors.map(({ status, text }) => `the response was ${status} ${text}`),
  ];
}

/** I3: the payment as the API has it agrees with the gateways' ledger. */
function ledgerDifferences(payment: PaymentBody, ledger: readonly LedgerEntry[]): string[] {
  const entries = ledger.filter(({ reference }) => transactionOf(reference) === payment.transaction_id);
  const { captured, refunded, held } = ledgerTotals(entries);
  const expected = { captured: captured - refunded, held };
  const actual = {
    captured: (payment.captured_amount ?? 0) - (payment.refunded_amount ?? 0),
    held: payment.status === 'authorized' ? payment.amount : 0,
  };
  const agrees = expected.captured === actual.captured && expected.held === actual.held;
  return [
    ...(payment.status === 'processing' ? ['I2: it is still processing'] : []),
    ...(agrees
      ? []
      : [`I3: ${payment.status} ${JSON.stringify(actual)}, the ledger ${JSON.stringify(expected)}`]),
  ];
}

/** I10: every cent is explained by a row. */
async function unexplained(
  { db }: FaultStack,
  { transaction_id: transactionId }: PaymentBody,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const entries = ledger.filter(({ reference }) => transactionOf(reference) === transactionId);
  const violations = unexplainedEntries(entries, await readExplainingRows(db, { transactionId }));
  return violations.map((violation) => `I10: ${violation}`);
}

/** I6 after the run: the same request replays its result, and another body with the same key is rejected. */
async function resendViolations(order: MerchantOrder): Promise<string[]> {
  const first = successIn(order.outcomes);
  const again = await order.merchant.resendOrder(order);
  const changed = await order.merchant.resendOrder(order, { amount: order.amount + 1_000_000 });
  const replayed = first !== undefined && isReplayOf(again, first);
  const rejected =
    changed.kind === 'http' && changed.status === 422 && codeOf(changed) === 'idempotency_key_reused';
  return [
    ...(replayed ? [] : [`I6: the resent request got ${describeOutcome(again)}`]),
    ...(rejected ? [] : [`I6: the key with another body got ${describeOutcome(changed)}`]),
  ];
}

/** A workflow runs for a payment that awaits something, and for no other. */
async function workflowViolations(
  stack: FaultStack,
  { transaction_id: id, status }: PaymentBody,
): Promise<string[]> {
  const handle = stack.temporal.workflow.getHandle(`payment/${id}`);
  const expected = status === 'pending' || status === 'authorized' ? 'RUNNING' : 'COMPLETED';
  let found = '';
  const asExpected = waitFor(async () => (found = (await handle.describe()).status.name) === expected, {
    withinMs: CLOSED_WITHIN_MS,
    everyMs: 100,
  });
  return asExpected.then(
    () => [],
    () => [`it is ${status} and its workflow is ${found}`],
  );
}

/** No final payment is scheduled for recovery, and no CVV is kept after the authorization. */
async function leftoverViolations({ db }: FaultStack): Promise<string[]> {
  const scheduled = await db.query<{ id: string }>(
    `SELECT transaction_id AS id FROM payments
     WHERE status NOT IN ('processing', 'pending', 'authorized') AND recover_after IS NOT NULL
       AND NOT ${IS_ASKED_AGAIN}`,
  );
  const cvvs = await db.query<{ id: string }>(
    `SELECT transaction_id AS id FROM payments JOIN vault_cards v ON v.id = vault_card_id
     WHERE status <> 'processing' AND sealed_cvv IS NOT NULL`,
  );
  return [
    ...scheduled.map(({ id }) => `${id} is final and still scheduled for recovery`),
    ...cvvs.map(({ id }) => `I8: the CVV of ${id} was kept after its authorization`),
  ];
}

/** A manual review is needed only at gateways that cannot be asked for the outcome. */
async function avoidableReviewViolations(operator: Operator | undefined): Promise<string[]> {
  return [...((await operator?.reviewedPayments()) ?? [])]
    .filter(([, gateway]) => idempotencySupport(gateway) !== 'none')
    .map(([id, gateway]) => `${id} needed a manual review though ${gateway} could be asked`);
}

interface PendingRequest {
  readonly name: string;
  readonly outcomes: readonly SendOutcome[];
}

function describeOrder({ amount, outcomes }: MerchantOrder): PendingRequest {
  return { name: `order ${amount}`, outcomes };
}

function describeOperation({ kind, order, outcomes }: MerchantOperation): PendingRequest {
  return { name: `${kind} of order ${order.amount}`, outcomes };
}

function isReplayOf(again: SendOutcome, first: HttpOutcome): boolean {
  return again.kind === 'http' && again.replayed && again.text === first.text;
}

function codeOf(outcome: HttpOutcome): unknown {
  return (JSON.parse(outcome.text) as { code?: unknown }).code;
}
