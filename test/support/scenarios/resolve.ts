import { resolveUpdate, type PaymentResult, type Resolution } from '../../../workflows/messages';
import { newResolutionId } from '../../../src/domain/shared/ids';
import { adminOf } from '../fixtures/admin';
import type { Engine } from '../stack/engine';

/** An operator's resolution of the attempt that a payment waits for: unknown result, or partially paid. */
export async function resolutionOf(
  { context }: Pick<Engine, 'context'>,
  transactionId: string,
  outcome: Resolution['outcome'],
): Promise<Resolution> {
  const payment = await context.payments.get(transactionId);
  const attempts = await context.attempts.listByPayment(payment.id);
  const subject = attempts.find(
    ({ status }) => status === 'unknown' || status === 'sent' || status === 'pending',
  );
  const { userId, requestId } = await adminOf(context, payment.companyId);
  return {
    resolutionId: newResolutionId(),
    attemptId: subject?.id ?? 'none',
    outcome,
    reason: 'seen at the gateway',
    resolvedBy: String(userId),
    requestId,
  };
}

export async function resolve(
  engine: Pick<Engine, 'context'>,
  transactionId: string,
  outcome: Resolution['outcome'],
): Promise<PaymentResult> {
  const resolution = await resolutionOf(engine, transactionId, outcome);
  const handle = engine.context.temporal.workflow.getHandle(`payment/${transactionId}`);
  return handle.executeUpdate(resolveUpdate, { args: [resolution] });
}
