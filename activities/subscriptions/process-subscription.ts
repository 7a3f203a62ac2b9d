import { assertNever } from '../../src/domain/shared/assert-never';
import { cardIdentity } from '../../src/domain/subscriptions/charge-guard';
import type { CommandRefusal } from '../../src/domain/subscriptions/command-refusal';
import type { Plan } from '../../src/domain/subscriptions/plan';
import type { StoredCommand } from '../../src/domain/subscriptions/stored-command';
import {
  NO_HISTORY,
  type CardHistory,
  type SubscriptionCard,
  type SubscriptionState,
  type Transition,
} from '../../src/domain/subscriptions/subscription';
import { applyCommand, type SubscriptionCommand } from '../../src/domain/subscriptions/subscription-commands';
import { timeBeforeDue } from '../../src/domain/subscriptions/command-time';
import { isChargeable, nextDue, type DueEvent } from '../../src/domain/subscriptions/subscription-due';
import { applyDueEvent, settleCharge } from '../../src/domain/subscriptions/subscription-lifecycle';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { TransitionContext } from '../../src/application/subscriptions/transition-writer';
import type { OpenCommand } from '../../src/persistence/subscriptions/subscription-command-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import { cardOf, termsOf } from '../../src/persistence/subscriptions/subscription-state';
import type { Tx } from '../../src/persistence/sql/transaction';
import { answerCommand, answerCreation } from './answer-command';
import { findOpenPayment, isSettled, settledResultOf } from './open-payment';
import type { SubscriptionDeps } from './subscription-deps';
import { holdUnresolved } from './unresolved-charge';
import { holdWhileUnreachable, withObstacles, releasedState, type StepTime } from './reachable-gateways';

/** What `processNext` has processed. */
export interface Processed {
  /** The times and names of the events, shown in the Temporal UI. */
  readonly events: readonly string[];
  readonly state: SubscriptionState;
  /** Of the charge that it opened; null if it opened none. */
  readonly payment: PaymentRecord | null;
}

/**
 * Processes the next of: the result of the open charge, a due event, a requested command. Returns null if there is none.
 * The caller has locked the subscription in `tx`.
 */
export async function processNext(
  deps: SubscriptionDeps,
  tx: Tx,
  stored: SubscriptionRecord,
  step: StepTime,
): Promise<Processed | null> {
  // Machine clocks differ, but transitions must not go back in time.
  const at = new Date(Math.max(+step.at, +stored.state.lastTransitionAt));
  const record = { ...stored, state: releasedState(stored, at) };
  const { state } = record;
  if (state.openCharge !== null) {
    const settled = await settleOpenCharge(deps, tx, record, { ...step, at });
    if (settled !== null) return settled;
  }
  const next = nextDue(state);
  const due = next !== null && next.at <= at ? next : null;
  // The events that do not wait for the open charge begin no other one.
  if (state.openCharge !== null)
    return due && saveTransition(deps, tx, record, applyDueEvent(state, due, NO_HISTORY));
  const command = record.commands.find(({ status }) => status === 'requested');
  if (due === null) {
    return command === undefined ? null : executeCommand(deps, tx, record, command, { at, now: at });
  }
  const timeOfCommand =
    command && !isAdvancing(record, due) ? timeBeforeDue(state, due, command.requestedAt) : null;
  const otherwise = (): Promise<Processed> => applyDue(deps, tx, record, due, { ...step, at });
  return command !== undefined && timeOfCommand !== null
    ? executeCommand(deps, tx, record, command, { at: timeOfCommand, now: at }, otherwise)
    : otherwise();
}

async function applyDue(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  due: DueEvent,
  step: StepTime,
): Promise<Processed> {
  const { state } = record;
  const history = isChargeable(due, state) ? await cardHistory(deps, tx, record, step.at) : NO_HISTORY;
  const transition = applyDueEvent(state, due, history, step.at);
  return saveTransition(deps, tx, record, await holdWhileUnreachable(deps, tx, record, transition, step));
}

/** While a test clock advances, commands apply at its target. */
function isAdvancing({ row: { clockTarget } }: SubscriptionRecord, due: DueEvent): boolean {
  return clockTarget !== null && clockTarget > due.at;
}

/** Applies the result of the open charge; null if it has no certain result yet. */
async function settleOpenCharge(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  step: StepTime,
): Promise<Processed | null> {
  const { at } = step;
  const payment = await findOpenPayment(deps, tx, record);
  if (!isSettled(payment)) {
    const held = await holdUnresolved(deps, tx, record, payment);
    return held && saveTransition(deps, tx, record, held);
  }
  const attempts = await deps.attempts.listByPayment(payment.id, tx);
  const { result: settled, charge } = settledResultOf(payment, attempts);
  const result = await withObstacles(deps, tx, record, step, settled);
  // Only a decline is counted.
  const history = result.kind === 'paid' ? NO_HISTORY : await cardHistory(deps, tx, record, at);
  const transition = settleCharge(record.state, result, at, history);
  const events = await saveTransition(deps, tx, record, transition, { charge });
  const command = record.commands.find(({ status }) => status === 'in_progress');
  if (command !== undefined) {
    const isRefused = command.kind === 'change_plan' && result.kind !== 'paid';
    await answerCommand(deps, tx, record, command, isRefused ? declineRefusal(payment) : null);
  }
  // A creation that began with a trial was answered then.
  if (record.openCycle?.number === 1 && record.row.trialDays === 0) await answerCreation(deps, tx, record);
  return events;
}

function declineRefusal({ message }: PaymentRecord): CommandRefusal {
  return { reason: `the charge for the change was refused: ${message}`, subject: 'state' };
}

async function executeCommand(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  open: OpenCommand,
  { at, now }: { readonly at: Date; readonly now: Date },
  /** Processes the due event that the command precedes, after which the command may be allowed. */
  otherwise?: () => Promise<Processed>,
): Promise<Processed> {
  const stored = await deps.subscriptionCommands.find(record.row.companyId, open.id, tx);
  if (stored === null) throw new Error('the open command is missing');
  const { command, context } = await toDomainCommand(deps, tx, record, stored.command);
  const history = await cardHistory(deps, tx, record, now, context.card && cardOf(context.card));
  const result = applyCommand(record.state, command, at, history, now);
  if (!result.applied && otherwise !== undefined) return otherwise();
  if (!result.applied) {
    await answerCommand(deps, tx, record, open, result);
    return { events: [], state: record.state, payment: null };
  }
  const events = await saveTransition(deps, tx, record, result.transition, context);
  if (result.transition.state.openCharge === null) await answerCommand(deps, tx, record, open, null);
  else
    await deps.subscriptionCommands.answer(tx, open.id, { status: 'in_progress', refusal: null }, deps.now());
  return events;
}

/** Converts a stored command to a domain command, and loads the plan or card that it names. */
async function toDomainCommand(
  deps: SubscriptionDeps,
  tx: Tx,
  { row }: SubscriptionRecord,
  stored: StoredCommand,
): Promise<{ readonly command: SubscriptionCommand; readonly context: TransitionContext }> {
  switch (stored.kind) {
    case 'pause':
      return {
        command: { kind: 'pause', until: stored.until === null ? null : new Date(stored.until) },
        context: {},
      };
    case 'cancel':
    case 'resume':
    case 'uncancel':
    case 'retry':
      return { command: stored, context: {} };
    case 'change_card':
      return { command: { kind: 'change_card', card: cardOf(stored.card) }, context: { card: stored.card } };
    case 'change_plan': {
      const plan = await lockPlan(deps, tx, row.companyId, stored.planId);
      const { immediately } = stored;
      return { command: { kind: 'change_plan', to: termsOf(plan), immediately }, context: { plan } };
    }
    default:
      return assertNever(stored);
  }
}

async function lockPlan(
  { plans }: SubscriptionDeps,
  tx: Tx,
  companyId: number,
  id: Plan['uuid'],
): Promise<Plan> {
  const plan = await plans.lockForUse(tx, companyId, id);
  if (plan === null) throw new Error('the plan of a command is missing');
  return plan;
}

/** The declines of the current card, or of `card`, and the company's dunning days. */
async function cardHistory(
  deps: SubscriptionDeps,
  tx: Tx,
  { row, state }: SubscriptionRecord,
  at: Date,
  card: SubscriptionCard = state.card,
): Promise<CardHistory> {
  const { companyId } = row;
  const { dunningDays } = await deps.companyConfigs.get(companyId, tx);
  const charged = { companyId, identity: cardIdentity(card) };
  const { declines } = await deps.cardDeclines.list(charged, at, tx);
  return { dunningDays, declines };
}

async function saveTransition(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  transition: Transition,
  context: TransitionContext = {},
): Promise<Processed> {
  const { payment, deliveries } = await deps.transitionWriter.save(
    tx,
    record,
    transition,
    deps.now(),
    context,
  );
  // If the process crashes before this, the sweeper starts them.
  if (deliveries.length > 0) tx.afterCommit(() => deps.startDeliveries(deliveries));
  const at = transition.state.lastTransitionAt.toISOString();
  return { events: transition.events.map(({ type }) => `${at} ${type}`), state: transition.state, payment };
}
