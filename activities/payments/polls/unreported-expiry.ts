import { activeCharge } from '../../../src/domain/payments/charge-operations';
import { undecidedCents } from '../../../src/domain/payments/payment-lifecycle';
import { expiryDecidedAt } from '../../../src/domain/payments/pending-schedule';
import type { Tx } from '../../../src/persistence/sql/transaction';
import type { PaymentDeps } from '../payment-deps';
import { INCONCLUSIVE_GRACE_MS, type PaymentContext } from '../payment-step';

/**
 * Whether an expired pix can be ended although its gateway, which answers no inquiries, has not said that nobody paid it. Banks refuse a pix
 * after its expiry, and a payment is reported within moments. So it is unpaid if the gateway's signed callbacks reach us at all: one about
 * any charge of the company has come since this one was sent. What is reported later nevertheless makes it `approved`, as everywhere.
 */
export async function isUnpaidWithoutReport(
  { registries, callbacks }: Pick<PaymentDeps, 'registries' | 'callbacks'>,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  at: number,
): Promise<boolean> {
  const { companyId, status, paymentMethod, expiresAt } = payment;
  const charge = activeCharge(attempts);
  if (status !== 'pending' || paymentMethod !== 'pix' || expiresAt === null) return false;
  if (undecidedCents(payment) > 0) return false;
  if (charge === null || charge.status !== 'pending' || charge.sentAt === null) return false;
  if (registries.of(companyId).capabilities(charge.gatewaySlug).truth !== 'signed_callback') return false;
  if (at < expiryDecidedAt(expiresAt).getTime() + INCONCLUSIVE_GRACE_MS) return false;
  const { gatewaySlug: gateway, sentAt: since } = charge;
  return callbacks.hasSignedSince({ companyId, gateway, since }, tx);
}
