import { z } from 'zod';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import { splitBody } from './bodies';

/** What a request says and its answers and webhooks repeat. No card number and no customer data. */
const paymentData = z.object({
  reference: z.string().nullable().default(null),
  merchant_account: z.string().default('SimulatorMerchant'),
  /** `scheme`, `pix` or the kind of boleto. */
  type: z.string().nullable().default(null),
  card: z.object({ brand: z.string(), summary: z.string(), expiry: z.string() }).nullable().default(null),
  installments: z.int().nullable().default(null),
  splits: z.array(splitBody).default([]),
});
export type PaymentData = z.output<typeof paymentData>;

/** The webhook that tells the result of a request. */
const resultEvent = z.enum(['CAPTURE', 'CANCELLATION', 'TECHNICAL_CANCEL', 'REFUND', 'CANCEL_OR_REFUND']);
export type ResultEvent = z.output<typeof resultEvent>;

const modificationData = z.object({
  event: resultEvent.nullable().default(null),
  reference: z.string().nullable().default(null),
  merchant_refund_reason: z.string().nullable().default(null),
  /** Why it was refused, in the words of the webhook. */
  refusal: z.string().nullable().default(null),
  /** Of a capture or refund. Empty if it had none. */
  splits: z.array(splitBody).default([]),
});
export type ModificationData = z.output<typeof modificationData>;

/** Of a charge that another protocol created, which has none: the defaults. */
export function paymentDataOf(charge: StoredCharge): PaymentData {
  return paymentData.parse(charge.operations[0]?.wireData ?? {});
}

export function modificationDataOf(operation: StoredOperation): ModificationData {
  return modificationData.parse(operation.wireData ?? {});
}

/** The merchant's reference of a payment, as it was sent. */
export function merchantReferenceOf(charge: StoredCharge): string {
  return paymentDataOf(charge).reference ?? charge.reference;
}

/** `paymentMethod` of webhooks: the card's brand, or the method. */
export function variantOf(charge: StoredCharge): string {
  const { card, type } = paymentDataOf(charge);
  return card?.brand ?? type ?? { card: 'visa', pix: 'pix', billet: 'boletobancario' }[charge.method];
}
