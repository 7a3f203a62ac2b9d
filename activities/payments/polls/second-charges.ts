import { furthestReport } from '../../../src/domain/payments/reported-charge-state';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../../src/persistence/payments/gateway-callback-repository';
import { isCharge, isOpen } from '../attempt-predicates';
import { isAboutAnotherCharge, statedCharge } from '../gateways/stated-by-callbacks';
import { loadPayment } from '../load-payment';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentPoll } from '../payment-poll';
import { recordCharge } from '../record-charge';

/** Callbacks about charges that are none of our attempts, and the payment after them. */
interface SecondCharges {
  readonly poll: PaymentPoll;
  readonly followed: readonly UnprocessedCallback[];
}

/**
 * Returns the money of charges that a gateway without inquiries has made besides an attempt's own: signed callbacks name our reference and
 * another id. They say nothing about the attempt's charge.
 */
export async function returnSecondCharges(deps: PaymentDeps, loaded: PaymentPoll): Promise<SecondCharges> {
  const ended = loaded.attempts.filter((attempt) => isCharge(attempt) && !isOpen(attempt));
  const followed: UnprocessedCallback[] = [];
  for (const attempt of ended.filter((each) => takesCallbacks(deps, each))) {
    const about = loaded.callbacks.filter(
      (callback) =>
        callback.trusted &&
        callback.kind === 'status' &&
        callback.attemptId === attempt.id &&
        isAboutAnotherCharge(loaded, attempt, callback),
    );
    followed.push(...about);
    for (const id of new Set(about.map(({ gatewayTransactionId }) => gatewayTransactionId)))
      await returnCharge(
        deps,
        loaded,
        { ...attempt, gatewayTransactionId: id },
        about.filter(({ gatewayTransactionId }) => gatewayTransactionId === id),
      );
  }
  if (followed.length === 0) return { poll: loaded, followed };
  const { payment, attempts } = await loadPayment(deps, loaded.payment.transactionId);
  const callbacks = loaded.callbacks.filter((callback) => !followed.includes(callback));
  return { poll: { ...loaded, payment, attempts, callbacks }, followed };
}

function takesCallbacks({ registries }: PaymentDeps, { companyId, gatewaySlug }: AttemptRecord): boolean {
  return registries.of(companyId).capabilities(gatewaySlug).truth === 'signed_callback';
}

/** Recorded as an answer that came late, which returns each charge once. */
async function returnCharge(
  deps: PaymentDeps,
  { payment }: PaymentPoll,
  charge: AttemptRecord,
  callbacks: readonly UnprocessedCallback[],
): Promise<void> {
  const states = callbacks.flatMap(({ reportedState }) => reportedState ?? []);
  const outcome = statedCharge(charge, furthestReport(states));
  if (outcome === null) return;
  const answer = { kind: 'outcome', outcome, requestMs: 0 } as const;
  await recordCharge(deps, payment.transactionId, charge, answer, { kind: 'inquiry', requestMs: 0 });
}
