import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { PaymentStep } from '../messages';
import { gatewayKey, paymentStatusKey } from '../search-attributes';

/** The search attributes of a payment whose status changed. A step without an attempt, such as an expiry, keeps the gateway. */
export function statusAttributes({ status, attempt }: PaymentStep): SearchAttributeUpdatePair[] {
  const gateway = attempt === null ? [] : [{ key: gatewayKey, value: attempt.gateway }];
  return [{ key: paymentStatusKey, value: status }, ...gateway];
}
