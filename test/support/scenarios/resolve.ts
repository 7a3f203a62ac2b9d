import { resolveUpdate } from '../../../workflows/messages';
import type { ResolutionOutcome } from '../../../src/domain/payments/manual-resolution';
import type { AttemptStatus, PaymentStatus } from '../../../src/domain/payments/payment';
import { newResolutionId } from '../../../src/domain/shared/ids';
import type { NewManualResolution } from '../../../src/persistence/payments/manual-resolution-repository';
import { adminOf } from '../fixtures/admin';
import type { Engine } from '../stack/engine';

/** Commits an operator's resolution of the attempt that a payment waits for: unknown result, or partially paid. */
export async function insertResolution(
  { context }: Pick<Engine, 'context'>,
  transactionId: string,
  outcome: ResolutionOutcome,
): Promise<NewManualResolution> {
  const payment = await context.payments.get(transactionId);
  const attempts = await context.attempts.listByPayment(payment.id);
  const open: readonly AttemptStatus[] = ['unknown', 'sent', 'accepted', 'pending'];
  const subject = attempts.find(({ status }) => open.includes(status));
  if (subject === undefined) throw new Error('nothing waits for an operator');
  const { userId, requestId } = await adminOf(context, payment.companyId);
  const resolution = {
    id: newResolutionId(),
    companyId: payment.companyId,
    paymentId: payment.id,
    attemptId: subject.id,
    outcome,
    reason: 'seen at the gateway',
    gatewayTransactionId: null,
    userId,
    requestId,
  };
  await context.db.inTransaction(async (tx) => {
    await context.payments.lock(tx, transactionId);
    if (!(await context.resolutions.insert(tx, resolution, context.now())))
      throw new Error('the attempt has a resolution');
  });
  return resolution;
}

/** Resolves the payment and returns its status afterwards. */
export async function resolve(
  engine: Pick<Engine, 'context'>,
  transactionId: string,
  outcome: ResolutionOutcome,
): Promise<{ readonly status: PaymentStatus }> {
  const { id: resolutionId } = await insertResolution(engine, transactionId, outcome);
  const handle = engine.context.temporal.workflow.getHandle(`payment/${transactionId}`);
  await handle.executeUpdate(resolveUpdate, { args: [{ resolutionId }] });
  const { status } = await engine.context.payments.get(transactionId);
  return { status };
}
