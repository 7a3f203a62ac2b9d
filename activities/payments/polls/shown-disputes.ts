import { createHash } from 'node:crypto';
import { isKnown } from '../../../src/domain/disputes/dispute';
import { disputeIdOf } from '../../../src/domain/shared/ids';
import type { DisputeHint } from '../../../src/gateways/callback';
import { INQUIRED_DISPUTE } from '../../../src/persistence/payments/gateway-callback-repository';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import type { PaymentDeps } from '../payment-deps';
import type { ChargeInquiry } from './reconcile-charge';

const BODY = Buffer.from('{}');

/**
 * Stores what an inquiry shows about disputes of the charge, as news for their workflows: the gateway's own answer counts as a signed
 * callback does. The sweeper wakes the workflows. What is known already is not stored. Under the payment's lock.
 */
export async function storeShownDisputes(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  { charge, inquiry }: ChargeInquiry,
): Promise<void> {
  if (inquiry.kind !== 'found' || inquiry.answer.outcome.kind === 'declined') return;
  const { disputes: shown = [], gatewayTransactionId } = inquiry.answer.outcome;
  if (shown.length === 0) return;
  const known = await deps.disputes.listByPayment(tx, payment.id);
  for (const { currency, ...report } of shown) {
    // As of a callback: one in another currency is only a notice.
    if (currency !== null && currency !== payment.currency) continue;
    const id = disputeIdOf(charge.id, report.gatewayDisputeId);
    const before = known.find((each) => each.id === id);
    if (before !== undefined && isKnown(before, report)) continue;
    await deps.callbacks.insert(
      {
        gateway: charge.gatewaySlug,
        subject: {
          attemptId: charge.id,
          chargeId: charge.id,
          paymentId: payment.id,
          payment,
          sealedWebhookSecrets: [],
        },
        eventId: eventIdOf(charge.id, report),
        kind: 'chargeback',
        gatewayTransactionId,
        body: BODY,
        bodyHash: hashOf(BODY),
        headers: {},
        trusted: true,
        reportedState: null,
        refundCents: null,
        dispute: { id, report },
        receivedAt: deps.now(),
      },
      null,
      tx,
    );
  }
}

/** The same for the same report. */
function eventIdOf(chargeId: string, report: Omit<DisputeHint, 'currency'>): string {
  return `${INQUIRED_DISPUTE}${hashOf(Buffer.from(JSON.stringify([chargeId, report])))}`;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
