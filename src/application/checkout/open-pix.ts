import { activeCharge } from '../../domain/payments/charge-operations';
import { cancelsUnpaid } from '../../domain/routing/routing';
import { ApiError } from '../../domain/shared/errors';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { FoundPayment } from '../payments/find-payment';

/** Whether the payment is a pix that the buyer may still pay. */
export function holdsOpenPix({ payment }: Pick<FoundPayment, 'payment'>): boolean {
  const isOpen = payment.status === 'pending' || payment.status === 'processing';
  return payment.paymentMethod === 'pix' && isOpen;
}

/** Whether the gateway that holds the pix cancels it before it is paid. True while no gateway holds it. */
export function isPixCancelable(
  registries: GatewayRegistries,
  { payment, attempts }: Pick<FoundPayment, 'payment' | 'attempts'>,
): boolean {
  const charge = activeCharge(attempts);
  if (charge === null) return true;
  return cancelsUnpaid(registries.of(payment.companyId).capabilities(charge.gatewaySlug), 'pix');
}

/** @throws ApiError `invalid_state` if the pix cannot be canceled now, or not at all */
export function assertPixCancelable(registries: GatewayRegistries, found: FoundPayment): void {
  if (found.payment.status === 'processing') throw notCanceledYet();
  if (isPixCancelable(registries, found)) return;
  const message = 'The gateway does not cancel this pix: pay it, or pay by card once it has expired.';
  throw new ApiError('invalid_state', message);
}

export function notCanceledYet(): ApiError {
  return new ApiError('invalid_state', 'The pix is not canceled yet: try again in a moment.');
}
