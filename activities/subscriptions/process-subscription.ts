import { assertNever } from '../../src/domain/shared/assert-never';
import { firstAllowedAt, type Refusal } from '../../src/domain/subscriptions/dunning';
import type { Plan } from '../../src/domain/subscriptions/plan';
import type { CardOnFile, StoredCommand } from '../../src/domain/subscriptions/stored-command';
import type { CardHistory, Transition } from '../../src/domain/subscriptions/subscription';
import { applyCommand, type SubscriptionCommand } from '../../src/domain/subscriptions/subscription-commands';
import { deferCharge } from '../../src/domain/subscriptions/subscription-cycle';
import { isChargeable, nextDue, type DueEvent } from '../../src/domain/subscriptions/subscription-due';
import {
  applyDueEvent,
  settleCharge,
  type ChargeResult,
} from '../../src/domain/subscriptions/subscription-lifecycle';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { TransitionContext, SettledCharge } from '../../src/application/subscriptions/transition-writer';
import type { OpenCommand } from '../../src/persistence/subscriptions/subscription-command-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import { cardOf, termsOf } from '../../src/persistence/subscriptions/subscription-state';
import type { Tx } from '../../src/persistence/sql/transaction';
import { answerCommand, answerCreation } from './answer-command';
import type { SubscriptionDeps } from './subscription-deps';

/** One thing that was decided and kept: what was told of it, for people who read the Temporal UI. */
export type ProcessedEvents = readonly string[];

/** Decides the next thing about a subscription, which is locked by this transaction; null when nothing can be decided. */
export async function processNext(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  now: Date,
): Promise<ProcessedEvents | null> {
  const { state } = record;
  // Clocks of machines differ: nothing happens before what has happened.
  const at = now < state.lastTransitionAt ? state.lastTransitionAt : now;
  if (state.openCharge !== null) return settleOpenCharge(deps, tx, record, at);
  const next = nextDue(state);
  const due = next !== null && next.at <= at ? next : null;
  const command = record.commands.find(({ status }) => status === 'requested');
  if (due === null) return command === undefined ? null : carryOut(deps, tx, record, command, at);
  if (command !== undefined && commandTakesPrecedence(record, due))
    return carryOut(deps, tx, record, command, due.at);
  const history = await cardHistory(deps, tx, record, due.at);
  const moved = applyDueEvent(state, due, history);
  return keep(deps, tx, record, await withinCaps(deps, tx, record, moved));
}

/** A cycle that begins is charged where the network of its card allows that; retries have looked for themselves. */
async function withinCaps(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  moved: Transition,
): Promise<Transition> {
  const { openCycle: cycle, openCharge, card, lastTransitionAt } = moved.state;
  if (cycle === null || openCharge === null || cycle.number === record.state.openCycle?.number) return moved;
  const { companyId, cardFingerprint } = record.row;
  const refused = { companyId, cardFingerprint, amountCents: cycle.chargeCents };
  const allowedAt = firstAllowedAt(
    card.brand,
    await deps.refusals.until(lastTransitionAt, refused, tx),
    lastTransitionAt,
  );
  return allowedAt <= lastTransitionAt ? moved : deferCharge(moved, cycle, allowedAt);
}

/**
 * Whether what was asked goes before what is due: nobody is charged who asked in time not to be, though the charge is spread
 * or a machine was away. What is asked of a clock on its way is asked of where it goes.
 */
function commandTakesPrecedence({ state, row }: SubscriptionRecord, due: DueEvent): boolean {
  const isMoving = row.clockTarget !== null && row.clockTarget > due.at;
  return !isMoving && isChargeable(due, state);
}

/** The payment of the open charge, once it has a certain result. */
async function settleOpenCharge(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  at: Date,
): Promise<ProcessedEvents | null> {
  const payment = await openPayment(deps, tx, record);
  if (!isCertain(payment)) return null;
  const attempts = await deps.attempts.ofPayment(payment.id, tx);
  const { result, charge } = resultOf(payment, attempts);
  const moved = settleCharge(record.state, result, at, await cardHistory(deps, tx, record, at));
  const decided = await keep(deps, tx, record, moved, { charge });
  const taken = record.commands.find(({ status }) => status === 'taken');
  if (taken !== undefined) {
    const refused = taken.kind === 'change_plan' && result.kind !== 'paid';
    await answerCommand(deps, tx, record, taken, refused ? declined(payment) : null);
  }
  if (record.openCycle?.number === 1) await answerCreation(deps, tx, record);
  return decided;
}

/** The newest payment of the charge that is open. */
export async function openPayment(
  deps: Pick<SubscriptionDeps, 'payments'>,
  tx: Tx,
  { openCycle, planChange, state }: SubscriptionRecord,
): Promise<PaymentRecord> {
  const byCycle = state.openCharge?.kind === 'cycle';
  const payment = await deps.payments.newestOfCharge(
    tx,
    byCycle ? { billingCycleId: openCycle?.id } : { planChangeId: planChange?.id },
  );
  if (payment === null) throw new Error('an open charge has a payment');
  return payment;
}

/** A result that will not change any more into another one. */
function isCertain({ status }: PaymentRecord): boolean {
  switch (status) {
    case 'processing':
    case 'pending':
    case 'authorized':
      return false;
    case 'approved':
    case 'refunded':
    case 'failed':
    case 'canceled':
      return true;
  }
}

function resultOf(
  { status, code, transactionId }: PaymentRecord,
  attempts: readonly AttemptRecord[],
): { readonly result: ChargeResult; readonly charge: SettledCharge } {
  if (status === 'approved' || status === 'refunded') {
    const charge = attempts.find(
      (attempt) => attempt.operation === 'charge' && attempt.status === 'approved',
    );
    const networkTransactionId = charge?.networkTransactionId ?? null;
    return { result: { kind: 'paid' }, charge: { paid: true, transactionId, networkTransactionId } };
  }
  if (code === 'not_attempted') return { result: { kind: 'not_attempted' }, charge: { paid: false } };
  return { result: { kind: 'refused', refusal: refusalOf(attempts) }, charge: { paid: false } };
}

/** What the last gateway that was asked said of the card; where none said anything, another try may go better. */
function refusalOf(attempts: readonly AttemptRecord[]): Refusal {
  const last = attempts.filter(({ status }) => status === 'declined').at(-1);
  return { declineClass: last?.declineType ?? 'soft', adviceCode: last?.adviceCode ?? null };
}

function declined({ message }: PaymentRecord): string {
  return `the charge for the change was refused: ${message}`;
}

async function carryOut(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  open: OpenCommand,
  at: Date,
): Promise<ProcessedEvents> {
  const stored = await deps.subscriptionCommands.find(record.row.companyId, open.id, tx);
  if (stored === null) throw new Error('an open command is there');
  const { command, known } = await understand(deps, tx, record, stored.command);
  const obeyed = applyCommand(record.state, command, at, await cardHistory(deps, tx, record, at, known.card));
  if (!obeyed.obeyed) {
    await answerCommand(deps, tx, record, open, obeyed.why);
    return [];
  }
  const decided = await keep(deps, tx, record, obeyed.moved, known);
  if (obeyed.moved.state.openCharge === null) await answerCommand(deps, tx, record, open, null);
  else await deps.subscriptionCommands.answer(tx, open.id, { status: 'taken', refusal: null }, deps.now());
  return decided;
}

/** A command as the domain takes it, with what it names. */
async function understand(
  deps: SubscriptionDeps,
  tx: Tx,
  { row }: SubscriptionRecord,
  stored: StoredCommand,
): Promise<{ readonly command: SubscriptionCommand; readonly known: TransitionContext }> {
  switch (stored.kind) {
    case 'pause':
      return {
        command: { kind: 'pause', until: stored.until === null ? null : new Date(stored.until) },
        known: {},
      };
    case 'cancel':
    case 'resume':
    case 'uncancel':
    case 'retry':
      return { command: stored, known: {} };
    case 'change_card':
      return { command: { kind: 'change_card', card: cardOf(stored.card) }, known: { card: stored.card } };
    case 'change_plan': {
      const plan = await namedPlan(deps, tx, row.companyId, stored.planId);
      const { immediately } = stored;
      return { command: { kind: 'change_plan', to: termsOf(plan), immediately }, known: { plan } };
    }
    default:
      return assertNever(stored);
  }
}

async function namedPlan(
  { plans }: SubscriptionDeps,
  tx: Tx,
  companyId: number,
  id: Plan['uuid'],
): Promise<Plan> {
  const plan = await plans.lockForUse(tx, companyId, id);
  if (plan === null) throw new Error('a plan that was named is never deleted');
  return plan;
}

/** How often its card, or the one that is to take its place, was refused what is unpaid, and how long its company tries. */
async function cardHistory(
  deps: SubscriptionDeps,
  tx: Tx,
  { row, state }: SubscriptionRecord,
  at: Date,
  card?: Pick<CardOnFile, 'fingerprint'>,
): Promise<CardHistory> {
  const { companyId } = row;
  const cardFingerprint = card?.fingerprint ?? row.cardFingerprint;
  const amountCents = state.openCycle?.chargeCents;
  if (amountCents === undefined) return { dunningDays: [], refusedAt: [] };
  const [config, refusedAt] = await Promise.all([
    deps.companyConfigs.load(companyId, tx),
    deps.refusals.until(at, { companyId, cardFingerprint, amountCents }, tx),
  ]);
  return { dunningDays: config.dunningDays, refusedAt };
}

async function keep(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  moved: Transition,
  known: TransitionContext = {},
): Promise<ProcessedEvents> {
  const born = await deps.subscriptionBook.save(tx, record, moved, deps.now(), known);
  // Whoever dies before that leaves them to the sweeper.
  if (born.length > 0) tx.afterCommit(() => deps.startDeliveries(born));
  const day = moved.state.lastTransitionAt.toISOString();
  return moved.events.map(({ event }) => `${day} ${event}`);
}
