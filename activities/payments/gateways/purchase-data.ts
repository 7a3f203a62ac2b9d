import { payerPhone } from '../../../src/domain/routing/required-data';
import { chargeOrigin } from '../../../src/domain/shared/purchase-details';
import type { PurchaseData } from '../../../src/gateways/purchase-data';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';

export function purchaseData(payment: PaymentRecord): PurchaseData {
  const { payer, description, items, returnUrl } = payment.purchase;
  return {
    payerIp: payer.ip,
    payerPhone: payerPhone(payment),
    description: description ?? payment.merchantOrderId,
    items,
    returnUrl,
    origin: chargeOrigin(payment),
  };
}
