import { isKeyKept, mayRepeatCharge } from '../../../src/domain/payments/repeated-charge';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import {
  prepareChargeCall,
  prepareOperationCall,
  type GatewayAnswer,
  type SendRequest,
} from '../call-gateway';
import type { PaymentDeps } from '../payment-deps';
import type { ChargedAccount } from './charged-account';

/** A repeated request: the attempt with its new send count, and the answer. */
export interface Repetition {
  readonly attempt: AttemptRecord;
  readonly answer: GatewayAnswer;
}

/**
 * Sends a charge of unknown outcome again under its idempotency key, which its gateway answers with the first result. Null if
 * it must not be sent.
 */
export async function repeatCharge(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  { sender, capabilities }: ChargedAccount,
): Promise<Repetition | null> {
  // Only with the same secret: with another one the gateway may not know the key, and would charge again.
  if (sender === null || wasFoundAfterRestore(attempt)) return null;
  const send = await prepareChargeCall(deps, payment, attempt, sender);
  const now = deps.now();
  const mayRepeat = mayRepeatCharge({
    ageMs: now.getTime() - payment.createdAt.getTime(),
    replayWindowMs: capabilities.replayWindowMs,
    inTransitMs: inTransitMs(deps),
  });
  return mayRepeat ? repeat(deps, payment, attempt, send) : null;
}

/** Its gateway knows it under another idempotency key than the attempt's, and would charge again. */
export function wasFoundAfterRestore({ sendCount }: Pick<AttemptRecord, 'sendCount'>): boolean {
  return sendCount === 0;
}

/** The same for a capture, cancel or refund. */
export async function repeatOperation(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  { sender, capabilities }: ChargedAccount,
): Promise<Repetition | null> {
  if (sender === null) return null;
  const send = await prepareOperationCall(deps, { attempt, currency: payment.currency }, sender);
  const mayRepeat = isKeyKept({
    ageMs: deps.now().getTime() - attempt.createdAt.getTime(),
    replayWindowMs: capabilities.replayWindowMs,
    inTransitMs: inTransitMs(deps),
  });
  return mayRepeat ? repeat(deps, payment, attempt, send) : null;
}

function inTransitMs({ settings: { sendWindowMs, gatewayTimeoutMs } }: PaymentDeps): number {
  return sendWindowMs + gatewayTimeoutMs;
}

/**
 * The repetition is counted before it is sent: from then on no earlier sender can end the attempt as not made. Null if the
 * attempt has a result by now, or another worker has repeated it.
 */
async function repeat(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  send: SendRequest,
): Promise<Repetition | null> {
  const now = deps.now();
  const sendCount = await countRepetition(deps, payment, attempt, now);
  if (sendCount === null) return null;
  const answer = await send(new Date(now.getTime() + deps.settings.sendWindowMs));
  return { attempt: { ...attempt, sendCount }, answer };
}

async function countRepetition(
  deps: PaymentDeps,
  { transactionId }: PaymentRecord,
  attempt: AttemptRecord,
  now: Date,
): Promise<number | null> {
  return deps.db.inTransaction(async (tx) => {
    // The lock: a result of another sender is recorded either before this, or as an outdated one.
    await deps.payments.lock(tx, transactionId);
    return deps.attempts.countRepetition(tx, attempt, now);
  });
}
