import { assertNever } from '../../src/domain/shared/assert-never';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PaymentStep } from '../../workflows/messages';
import { firstAttempt, type FirstAttempt } from '../payments/attempts/first-attempt';
import type { PaymentDeps } from '../payments/payment-deps';
import type { SubscriptionDeps } from './subscription-deps';
import { toStart } from './subscription-step';

/**
 * Makes the first attempt of a committed charge inside the step of its subscription. Claim, send and record are those of the
 * payment's workflow, which starts only if something is left for it: no slot, an attempt that was made before, an unknown
 * outcome, another gateway. False if no attempt was made here.
 */
export async function charge(deps: PaymentDeps & SubscriptionDeps, payment: PaymentRecord): Promise<boolean> {
  const attempt = payment.attempts === 0 ? await attemptHere(deps, payment) : null;
  switch (attempt?.kind) {
    case undefined:
    case 'card_busy':
      deps.startPayment(toStart(payment));
      return false;
    case 'unrecorded':
      await deps.startToRecord(toStart(payment), attempt.unrecorded);
      return true;
    case 'recorded':
      if (!isFinished(attempt.step)) deps.startPayment(toStart(payment));
      return true;
    default:
      return assertNever(attempt);
  }
}

/** Null if there is no slot, or the attempt failed: then its row says whether anything was sent. */
async function attemptHere(
  deps: PaymentDeps & SubscriptionDeps,
  { companyId, transactionId }: PaymentRecord,
): Promise<FirstAttempt | null> {
  const release = await deps.chargeSlots.acquire(companyId);
  if (release === null) return null;
  try {
    // The step itself goes on with the result.
    return await firstAttempt({ ...deps, wakeSubscription: null }, { companyId, transactionId });
  } catch (error) {
    const fields = { company_id: companyId, transaction_id: transactionId, err: error };
    deps.log.warn(fields, 'charge not made in the step of its subscription; its workflow goes on');
    return null;
  } finally {
    release();
  }
}

/** Whether the payment's workflow would end at once. */
function isFinished({
  ready,
  unknown,
  openOperations,
  openResolutions,
  pollAt,
  clock,
}: PaymentStep): boolean {
  const open = unknown.length + openOperations.length + openResolutions.length;
  return !ready && open === 0 && pollAt === null && clock.target === null;
}
