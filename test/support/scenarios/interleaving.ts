import type { ActivityDeps } from '../../../activities';
import {
  prepareChargeCall,
  prepareOperationCall,
  type GatewayAnswer,
} from '../../../activities/payments/call-gateway';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { chooseOperationAccess } from '../../../activities/payments/gateways/operation-access';
import { recordCharge } from '../../../activities/payments/record-charge';
import { recordOperation } from '../../../activities/payments/record-operation';
import type { IdempotencyRepository } from '../../../src/persistence/payments/idempotency-repository';
import { Database, type Tx } from '../../../src/persistence/sql/transaction';
import type { Engine } from '../stack/engine';
import type { Purchase } from './purchase';
import { waitFor } from '../stack/wait-for';
import { waitingForLocks } from '../stack/waiting-for-locks';

/** A worker that has claimed an attempt. The test calls the activity's next steps one by one. */
export interface SteppedWorker {
  readonly attemptId: string;
  readonly send: (sendBefore?: Date) => Promise<GatewayAnswer>;
  /** Records the answer, or that absence is proven. */
  readonly record: (
    update: GatewayAnswer | { readonly kind: 'absent'; readonly message: string },
  ) => Promise<unknown>;
}

const SEND_WITHIN_MS = 1_000;
const soon = (): Date => new Date(Date.now() + SEND_WITHIN_MS);

/** Claims the payment's next operation or charge attempt. */
export async function claimNext(
  engine: Engine,
  { company, body }: Purchase,
  deps: ActivityDeps = engine.deps,
): Promise<SteppedWorker> {
  const { transaction_id: transactionId } = body;
  const claim = await claimAttempt(deps, { companyId: company.id, transactionId });
  if (claim.kind === 'nothing') throw new Error(`nothing to claim: ${claim.step.status}`);
  if (claim.kind === 'card_busy') throw new Error('other charges of the card are in progress');
  const { id: attemptId } = claim.attempt;
  if (claim.kind === 'charge') {
    const { payment, attempt, gateway } = claim;
    const prepared = prepareChargeCall(deps, payment, attempt, gateway);
    // The error is the result of `send`.
    prepared.catch(() => undefined);
    return {
      attemptId,
      send: async (sendBefore = soon()) => (await prepared)(sendBefore),
      record: (answer) => recordCharge(deps, transactionId, attempt, answer, { kind: 'call' }),
    };
  }
  const { attempt, currency } = claim;
  const chosen = await chooseOperationAccess(deps, attempt);
  if (chosen === null) throw new Error('the company has no secret there');
  return {
    attemptId,
    send: async (sendBefore = soon()) =>
      (await prepareOperationCall(deps, { attempt, currency }, chosen.access))(sendBefore),
    record: (answer) => recordOperation(deps, transactionId, attempt, answer, { kind: 'call' }),
  };
}

/** Activity dependencies that run `meanwhile` once, right before the next transaction: earlier reads are stale by then. */
export function withInterruption<Deps extends ActivityDeps>(
  deps: Deps,
  meanwhile: () => Promise<unknown>,
): Deps {
  let pending: (() => Promise<unknown>) | undefined = meanwhile;
  class InterruptedDatabase extends Database {
    override async inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const interruption = pending;
      pending = undefined;
      await interruption?.();
      return super.inTransaction(work);
    }
  }
  return { ...deps, db: new InterruptedDatabase(deps.db.sequelize) };
}

/** The same with an idempotency key that changes, by what `meanwhile` does, right after it was read for the nth time. */
export function withKeyReadBefore<Context extends { readonly idempotency: IdempotencyRepository }>(
  context: Context,
  nth: number,
  meanwhile: () => Promise<unknown>,
): Context {
  const { idempotency } = context;
  let reads = 0;
  const find: typeof idempotency.find = async (...key) => {
    const record = await idempotency.find(...key);
    reads += 1;
    if (reads === nth) await meanwhile();
    return record;
  };
  return {
    ...context,
    idempotency: Object.assign(Object.create(idempotency) as typeof idempotency, { find }),
  };
}

/**
 * Starts all functions while the payment's row is locked, and releases the lock once all wait for it, so that each starts
 * before any of them proceeds. The engine needs a connection for each (`DATABASE_POOL`).
 */
export async function runConcurrently<T>(
  { context }: Engine,
  { body }: Purchase,
  functions: ReadonlyArray<() => Promise<T>>,
): Promise<T[]> {
  const started = await context.db.inTransaction(async (tx) => {
    await context.payments.lock(tx, body.transaction_id);
    const promises = functions.map((start) => start());
    await waitFor(async () => (await waitingForLocks(context.db)) === functions.length, {
      what: 'all to wait for the lock',
    });
    return { promises };
  });
  return Promise.all(started.promises);
}
