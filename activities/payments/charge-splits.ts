import { splitAmount, type Split, type SplitPart } from '../../src/domain/payments/split';
import type { CompanyGateway } from '../../src/gateways/registry';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';

/** Who gets what of a charge: a payment's own splits override a sub-account credential's 100%. */
export function chargeSplits(
  payment: Pick<PaymentRecord, 'splits' | 'amountCents'>,
  gateway: Pick<CompanyGateway, 'subAccount'>,
): SplitPart[] {
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
