import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { waitFor } from '../../support/stack/wait-for';
import type { FaultStack } from './fault-stack';
import {
  describeAnswer,
  describeAnswers,
  isRefused,
  resultIn,
  type Answer,
  type HttpAnswer,
} from './answers';
import { idOf, resultOf, type Operation, type Order } from './merchant';
import type { Person } from './operator';
import { illegalTransitions } from './transitions';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/** Many times what it takes: a machine may be slow, and a payment that never settles is reported as such all the same. */
const SETTLED_WITHIN_MS = 240_000;
/** A workflow task that was lost with its worker is given again after 10 s. */
const CLOSED_WITHIN_MS = 40_000;

/** Returns when every order and every operation has its answer and nothing at any gateway is left open. */
export async function untilSettled(
  stack: FaultStack,
  orders: readonly Order[],
  operations: readonly Operation[] = [],
): Promise<void> {
  await waitFor(
    async () => {
      const waiting = [...orders.map(inWords), ...operations.map(operationInWords)].filter(
        ({ answers }) => resultIn(answers) === undefined && !isRefused(answers),
      );
      if (waiting.length > 0) {
        throw new Error(
          `no result yet: ${waiting.map(({ name, answers }) => `${name}: ${describeAnswers(answers)}`).join('; ')}`,
        );
      }
      const open = await stack.db.query(
        `SELECT a.operation, a.gateway_slug AS gateway, a.status, a.tries, p.transaction_id AS "of"
         FROM gateway_attempts a JOIN payments p ON p.id = payment_id
         WHERE a.status IN ('requested', 'sent', 'unknown') AND p.idempotency_key = ANY($1)`,
        [orders.map(({ key }) => key)],
      );
      if (open.length > 0) throw new Error(`still open: ${JSON.stringify(open)}`);
      return true;
    },
    { what: 'every payment to settle', withinMs: SETTLED_WITHIN_MS, everyMs: 100 },
  );
}

/** What is wrong, in words, once everything has settled; empty when all invariants hold. Give `person` when the gateways could always be asked. */
export async function violations(
  stack: FaultStack,
  orders: readonly Order[],
  person?: Person,
): Promise<string[]> {
  const ledger = await wholeLedger(stack);
  const ofOrders = await Promise.all(orders.map((order) => orderViolations(stack, order, ledger)));
  return [
    ...ledgerViolations(ledger),
    ...ofOrders.flat(),
    ...(await illegalTransitions(stack.db)),
    ...(await leftovers(stack)),
    ...needlessQuestions(person),
  ];
}

/** What is wrong with an operation that was asked for once, in words: it is done once, and its key keeps its answer. */
export async function operationViolations(stack: FaultStack, operation: Operation): Promise<string[]> {
  const { order, kind, answers } = operation;
  const first = resultIn(answers);
  if (first === undefined) return [`the ${kind} has no result: ${describeAnswers(answers)}`];
  const again = await order.merchant.requestAgain(operation);
  const { entries } = await stack.simulator.ledger(idOf(order));
  const done = entries.filter(({ reference }) => reference.includes(`-${kind}`));
  return [
    ...(isSame(again, first) ? [] : [`I6: resent, the ${kind} was answered ${describeAnswer(again)}`]),
    ...(done.length === 1 ? [] : [`I1: the ${kind} is ${done.length} times in the ledger`]),
  ];
}

async function orderViolations(
  stack: FaultStack,
  order: Order,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const result = resultOf(order);
  const { name } = inWords(order);
  if (result === undefined) return [`${name} has no result: ${describeAnswers(order.answers)}`];
  const current = await order.merchant.find(result.transaction_id);
  const found = [
    ...oneCharge(order, result, ledger),
    ...answersViolations(order),
    ...booksViolations(current, ledger),
    ...(await resentViolations(order)),
    ...(await workflowViolations(stack, current)),
  ];
  return found.map((violation) => `${name} (${result.transaction_id}): ${violation}`);
}

/** I1: the amount belongs to this key alone, so this holds whatever the engine's own tables say. */
function oneCharge(order: Order, result: PaymentBody, ledger: readonly LedgerEntry[]): string[] {
  const charges = new Map<string, LedgerEntry[]>();
  for (const entry of ledger.filter(({ amount }) => amount === order.amount)) {
    charges.set(entry.charge_id, [...(charges.get(entry.charge_id) ?? []), entry]);
  }
  const live = [...charges.values()].filter((entries) => {
    const { captured, refunded, held } = ledgerTotals(entries);
    return captured - refunded > 0 || held > 0;
  });
  const strangers = [...charges.values()].filter(
    ([first]) => first !== undefined && transactionOf(first.reference) !== result.transaction_id,
  );
  return [
    ...(live.length > 1 ? [`I1: ${live.length} charges of ${order.amount} hold or took money`] : []),
    ...(strangers.length > 0 ? ['I1: a charge belongs to another payment than the one acknowledged'] : []),
  ];
}

/** I2 and I6 while it ran: one payment for the key, one result, and no error but "not now". */
function answersViolations(order: Order): string[] {
  const answered = order.answers.filter((answer) => answer.kind === 'http');
  const accepted = answered.filter(({ status }) => status === 200 || status === 202);
  const ids = new Set(accepted.map(({ text }) => (JSON.parse(text) as PaymentBody).transaction_id));
  const results = new Set(answered.filter(({ status }) => status === 200).map(({ text }) => text));
  const errors = answered.filter(
    ({ status, retryAfter }) =>
      !(status === 200 || status === 202 || (status === 503 && retryAfter !== null)),
  );
  return [
    ...(ids.size > 1 ? [`I2: one key was acknowledged as ${[...ids].join(' and ')}`] : []),
    ...(results.size > 1 ? ['I6: one key got different results'] : []),
    ...errors.map(({ status, text }) => `answered ${status} ${text}`),
  ];
}

/** I3: what a reader is told is what the gateways' books say. */
function booksViolations(payment: PaymentBody, ledger: readonly LedgerEntry[]): string[] {
  const entries = ledger.filter(({ reference }) => transactionOf(reference) === payment.transaction_id);
  const { captured, refunded, held } = ledgerTotals(entries);
  const books = { taken: captured - refunded, held };
  const told = {
    taken: (payment.captured_amount ?? 0) - (payment.refunded_amount ?? 0),
    held: payment.status === 'authorized' ? payment.amount : 0,
  };
  const agrees = books.taken === told.taken && books.held === told.held;
  return [
    ...(payment.status === 'processing' ? ['I2: it never ended'] : []),
    ...(agrees ? [] : [`I3: ${payment.status} ${JSON.stringify(told)}, the ledger ${JSON.stringify(books)}`]),
  ];
}

/** I6 afterwards. */
async function resentViolations(order: Order): Promise<string[]> {
  const first = resultIn(order.answers);
  const again = await order.merchant.postAgain(order);
  const other = await order.merchant.postAgain(order, { amount: order.amount + 1_000_000 });
  const same = first !== undefined && isSame(again, first);
  const refused = other.kind === 'http' && other.status === 422 && codeOf(other) === 'idempotency_key_reused';
  return [
    ...(same ? [] : [`I6: resent, it was answered ${describeAnswer(again)}`]),
    ...(refused ? [] : [`I6: with another body it was answered ${describeAnswer(other)}`]),
  ];
}

/** One runs for whatever is still waited for, and none for anything else. */
async function workflowViolations(
  stack: FaultStack,
  { transaction_id: id, status }: PaymentBody,
): Promise<string[]> {
  const handle = stack.temporal.workflow.getHandle(`payment/${id}`);
  const expected = status === 'pending' || status === 'authorized' ? 'RUNNING' : 'COMPLETED';
  let found = '';
  const asItShould = waitFor(async () => (found = (await handle.describe()).status.name) === expected, {
    withinMs: CLOSED_WITHIN_MS,
    everyMs: 100,
  });
  return asItShould.then(
    () => [],
    () => [`it is ${status} and its workflow ${found}`],
  );
}

/** Nothing waits for a sweeper, and no CVV outlives the authorization it was for. */
async function leftovers({ db }: FaultStack): Promise<string[]> {
  const awaited = await db.query<{ id: string }>(
    `SELECT transaction_id AS id FROM payments
     WHERE status NOT IN ('processing', 'pending', 'authorized') AND recover_after IS NOT NULL`,
  );
  const cvvs = await db.query<{ id: string }>(
    `SELECT transaction_id AS id FROM payments JOIN vault_cards v ON v.id = vault_card_id
     WHERE status <> 'processing' AND sealed_cvv IS NOT NULL`,
  );
  return [
    ...awaited.map(({ id }) => `${id} is settled and waits for a sweeper`),
    ...cvvs.map(({ id }) => `I8: the CVV of ${id} outlived its authorization`),
  ];
}

/** A person is asked only what no inquiry can tell. */
function needlessQuestions(person: Person | undefined): string[] {
  return [...(person?.asked ?? [])]
    .filter(([, gateway]) => idempotencySupport(gateway) !== 'none')
    .map(([id, gateway]) => `a person was asked about ${id}, which ${gateway} could have told`);
}

export async function wholeLedger(stack: FaultStack): Promise<LedgerEntry[]> {
  const response = await fetch(`${stack.simulator.url}/_admin/ledger`);
  return ((await response.json()) as { entries: LedgerEntry[] }).entries;
}

interface Waiting {
  readonly name: string;
  readonly answers: readonly Answer[];
}

function inWords({ amount, answers }: Order): Waiting {
  return { name: `order ${amount}`, answers };
}

function operationInWords({ kind, order, answers }: Operation): Waiting {
  return { name: `${kind} of order ${order.amount}`, answers };
}

function isSame(again: Answer, first: HttpAnswer): boolean {
  return again.kind === 'http' && again.replayed && again.text === first.text;
}

function codeOf(answer: HttpAnswer): unknown {
  return (JSON.parse(answer.text) as { code?: unknown }).code;
}
