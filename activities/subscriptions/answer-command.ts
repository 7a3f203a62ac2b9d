import type { OpenCommand } from '../../src/persistence/subscriptions/subscription-command-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SubscriptionDeps } from './subscription-deps';

/**
 * Answers a command: done, or refused with a reason, public text. Whoever sent it with a key, and sends it again, gets
 * this answer for ever.
 */
export async function answerCommand(
  deps: SubscriptionDeps,
  tx: Tx,
  { row }: SubscriptionRecord,
  { id }: OpenCommand,
  why: string | null,
): Promise<void> {
  const refusal = why === null ? null : sentence(why);
  const status = refusal === null ? 'done' : 'refused';
  await deps.subscriptionCommands.answer(tx, id, { status, refusal }, deps.now());
  const command = await deps.subscriptionCommands.find(row.companyId, id, tx);
  const { companyId } = row;
  const key = command?.idempotencyKey ?? null;
  if (key === null) return;
  const answer =
    refusal === null
      ? { status: 200, body: deps.presentSubscription(await deps.subscriptions.lock(tx, row.uuid)) }
      : { status: 409, body: { code: 'invalid_state', message: refusal } };
  await deps.idempotency.recordAnswer(tx, { companyId, key, ...answer });
}

/** What whoever created it is answered from now on, should they ask again: how its first charge left it. The first answer stands. */
export async function answerCreation(
  deps: SubscriptionDeps,
  tx: Tx,
  { row }: SubscriptionRecord,
): Promise<void> {
  const { companyId, idempotencyKey: key, uuid } = row;
  if (key === null) return;
  const body = deps.presentSubscription(await deps.subscriptions.lock(tx, uuid));
  await deps.idempotency.recordAnswer(tx, { companyId, key, status: 201, body });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
