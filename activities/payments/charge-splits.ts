import { splitAmount, type Split, type SplitAllocation } from '../../src/domain/payments/split';
import type { CompanyGateway } from '../../src/gateways/registry';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';

/** The split allocations of a charge. The payment's own splits override the 100% of a sub-account credential. */
export function chargeSplits(
  payment: Pick<PaymentRecord, 'splits' | 'amountCents'>,
  gateway: Pick<CompanyGateway, 'subAccount'>,
): SplitAllocation[] {
  if (payment.splits !== null && payment.splits.length > 0)
    return splitAmount(payment.splits, payment.amountCents);
  if (gateway.subAccount === null) return [];
  const { recipientId } = gateway.subAccount;
  const whole: Split = {
    recipientId,
    type: 'percentage',
    amount: 100,
    liable: true,
    chargeProcessingFee: true,
    chargeRemainderFee: true,
  };
  return splitAmount([whole], payment.amountCents);
}
