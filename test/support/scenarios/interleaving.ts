import type { ActivityDeps } from '../../../activities';
import {
  prepareCharge,
  prepareOperation,
  type GatewayAnswer,
} from '../../../activities/payments/call-gateway';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { findGateway } from '../../../activities/payments/find-gateway';
import { recordCharge } from '../../../activities/payments/record-charge';
import { recordOperation } from '../../../activities/payments/record-operation';
import { Database, type Tx } from '../../../src/persistence/sql/transaction';
import type { Engine } from '../stack/engine';
import type { Purchase } from './purchase';
import { waitFor } from '../stack/wait-for';
import { waitingForLocks } from '../stack/waiting-for-locks';

/** A worker that has claimed something, and goes on only when it is told to: its steps as the activity makes them. */
export interface SteppedWorker {
  readonly attemptId: string;
  readonly send: (sendBefore?: Date) => Promise<GatewayAnswer>;
  readonly record: (answer: GatewayAnswer) => Promise<unknown>;
}

const SEND_WITHIN_MS = 1_000;
const soon = (): Date => new Date(Date.now() + SEND_WITHIN_MS);

/** Claims the payment's next operation, or its next charge attempt, and stops there. */
export async function claimed(
  engine: Engine,
  { company, body }: Purchase,
  deps: ActivityDeps = engine.deps,
): Promise<SteppedWorker> {
  const { transaction_id: transactionId } = body;
  const claim = await claimAttempt(deps, { companyId: company.id, transactionId });
  if (claim.kind === 'nothing') throw new Error(`there was nothing to claim: ${claim.step.status}`);
  const { id: attemptId } = claim.attempt;
  if (claim.kind === 'charge') {
    const { payment, attempt, gateway } = claim;
    return {
      attemptId,
      send: async (sendBefore = soon()) => (await prepareCharge(deps, payment, attempt, gateway))(sendBefore),
      record: (answer) => recordCharge(deps, transactionId, attemptId, answer, { kind: 'call' }),
    };
  }
  const { attempt } = claim;
  const gateway = await findGateway(deps, attempt);
  if (gateway === null) throw new Error('the company has no credentials there');
  return {
    attemptId,
    send: async (sendBefore = soon()) => (await prepareOperation(deps, attempt, gateway))(sendBefore),
    record: (answer) => recordOperation(deps, transactionId, attempt, answer, { kind: 'call' }),
  };
}

/** An activity's dependencies, where `meanwhile` happens just before its next transaction begins: what it has asked is old by then. */
export function interrupted<Deps extends ActivityDeps>(deps: Deps, meanwhile: () => Promise<unknown>): Deps {
  let next: (() => Promise<unknown>) | undefined = meanwhile;
  class Interrupted extends Database {
    override async inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const now = next;
      next = undefined;
      await now?.();
      return super.inTransaction(work);
    }
  }
  return { ...deps, db: new Interrupted(deps.db.sequelize) };
}

/**
 * Begins all of them while the payment's row is held, and lets go once all wait for it: none has gone on before the
 * last has begun. The engine needs a connection for each (`DATABASE_POOL`).
 */
export async function allAtOnce<T>(
  { parts }: Engine,
  { body }: Purchase,
  begin: ReadonlyArray<() => Promise<T>>,
): Promise<T[]> {
  const begun = await parts.db.inTransaction(async (tx) => {
    await parts.payments.lock(tx, body.transaction_id);
    const promises = begin.map((start) => start());
    await waitFor(async () => (await waitingForLocks(parts.db)) === begin.length, { what: 'all to wait' });
    return { promises };
  });
  return Promise.all(begun.promises);
}
