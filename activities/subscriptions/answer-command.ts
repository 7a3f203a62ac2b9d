import { personalContent } from '../../src/domain/customers/personal-data';
import { refusalError, type CommandRefusal } from '../../src/domain/subscriptions/command-refusal';
import { createdAnswer, okAnswer, refusedAnswer } from '../../src/domain/shared/http-answer';
import type { OpenCommand } from '../../src/persistence/subscriptions/subscription-command-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SubscriptionDeps } from './subscription-deps';

/**
 * Marks a command as done, or as refused. If the command has an idempotency key, the answer is recorded for repeated
 * requests.
 */
export async function answerCommand(
  deps: SubscriptionDeps,
  tx: Tx,
  { row, customer }: SubscriptionRecord,
  { id }: OpenCommand,
  refusal: CommandRefusal | null,
): Promise<void> {
  const status = refusal === null ? 'done' : 'refused';
  await deps.subscriptionCommands.answer(tx, id, { status, refusal }, deps.now());
  const command = await deps.subscriptionCommands.find(row.companyId, id, tx);
  const key = command?.idempotencyKey ?? null;
  if (key === null) return;
  const answer =
    refusal === null
      ? okAnswer(deps.presentSubscription(await deps.subscriptions.lock(tx, row.uuid)))
      : refusedAnswer(refusalError(refusal));
  const personal = personalContent('subscription', customer);
  await deps.idempotency.recordAnswer(tx, { companyId: row.companyId, key }, answer, personal);
}

/** Records the answer of the creation request after the first charge. An answer that is already recorded stays. */
export async function answerCreation(
  deps: SubscriptionDeps,
  tx: Tx,
  { row, customer }: SubscriptionRecord,
): Promise<void> {
  const { companyId, idempotencyKey: key, uuid } = row;
  if (key === null) return;
  const body = deps.presentSubscription(await deps.subscriptions.lock(tx, uuid));
  const personal = personalContent('subscription', customer);
  await deps.idempotency.recordAnswer(tx, { companyId, key }, createdAnswer(body), personal);
}
