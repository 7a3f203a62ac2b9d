import { createHash } from 'node:crypto';
import { isPaidLater, type PaymentMethod } from '../../domain/payments/payment';
import type { CallbackSubject, NewCallback } from '../payments/gateway-callback-repository';
import type { GatewayCharge } from './restored-charge-repository';

const BODY = Buffer.from('{}');

/**
 * What a gateway's report after a restore says about a charge, as a callback of the gateway, which was lost. It wakes the payment, which
 * inquires until its records agree with it.
 */
export function restoredReport(
  restoreId: number,
  charge: Pick<
    GatewayCharge,
    'gateway' | 'gatewayTransactionId' | 'status' | 'capturedCents' | 'refundedCents'
  >,
  of: { readonly subject: CallbackSubject; readonly paymentMethod: PaymentMethod },
  now: Date,
): NewCallback {
  const { gateway, gatewayTransactionId, status, capturedCents, refundedCents } = charge;
  const paidCents = isPaidLater(of.paymentMethod) ? capturedCents : 0;
  return {
    gateway,
    subject: of.subject,
    eventId: `restore-${restoreId}-${gatewayTransactionId}-${now.getTime()}`,
    kind: 'status',
    gatewayTransactionId,
    body: BODY,
    bodyHash: createHash('sha256').update(BODY).digest('hex'),
    headers: {},
    trusted: true,
    reportedState: { status, capturedCents, refundedCents, paidCents },
    refundCents: null,
    dispute: null,
    receivedAt: now,
  };
}
