import { assertNever } from '../../../src/domain/shared/assert-never';
import type { InquiredRefund, OtherRefund } from '../../../src/gateways/inquired-refund';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentDeps } from '../payment-deps';

type Refund = Pick<AttemptRecord, 'id' | 'paymentId' | 'operation' | 'gatewayTransactionId' | 'amountCents'>;

/** What is recorded of the other refunds of the refund's charge; nothing for any other attempt. */
export async function inquiredRefund(
  { attempts }: Pick<PaymentDeps, 'attempts'>,
  { id, paymentId, operation, gatewayTransactionId, amountCents }: Refund,
): Promise<{ readonly refund?: InquiredRefund }> {
  if (operation !== 'refund') return {};
  const others = (await attempts.listByPayment(paymentId))
    .filter((other) => other.operation === 'refund' && other.id !== id)
    .filter((other) => other.gatewayTransactionId === gatewayTransactionId)
    .flatMap((other) => {
      const status = statusAtGateway(other);
      return status === null ? [] : [{ amountCents: other.amountCents, status }];
    });
  return { refund: { amountCents, others } };
}

/** Null if the gateway certainly does not list it. */
function statusAtGateway({ status, awaitedSince }: AttemptRecord): OtherRefund['status'] | null {
  switch (status) {
    case 'refunded':
    case 'accepted':
      return status;
    case 'sent':
    case 'unknown':
      return 'unknown';
    case 'declined':
      return awaitedSince === null ? null : 'refused';
    case 'requested':
    case 'error':
    case 'abandoned':
    case 'pending':
    case 'approved':
    case 'authorized':
    case 'canceled':
      return null;
    default:
      return assertNever(status);
  }
}
