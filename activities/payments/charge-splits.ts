import { splitAmount, wholeTo, type SplitAllocation } from '../../src/domain/payments/split';
import type { GatewaySplit } from '../../src/gateways/gateway';
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
  return splitAmount([wholeTo(gateway.subAccount.recipientId)], payment.amountCents);
}

/** The allocations as the driver gets them: a gateway that divides what is left after its fee needs the percentages. */
export function gatewaySplits(
  { splits }: Pick<PaymentRecord, 'splits'>,
  allocations: readonly SplitAllocation[],
): GatewaySplit[] {
  if (allocations.length === 1) return allocations.map((whole) => ({ ...whole, percent: 100 }));
  return allocations.map((allocation, index) => {
    const asked = splits?.[index];
    return { ...allocation, ...(asked?.type === 'percentage' && { percent: asked.amount }) };
  });
}
