import { z } from 'zod';
import type { StoredCharge, StoredOperation } from '../../charge-store';

/** What a payment's request says and its answers repeat. No card number and no customer data. */
const paymentData = z.object({
  /** As it was sent. */
  external_reference: z.string().nullable().default(null),
  payment_method_id: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  metadata: z.record(z.string(), z.unknown()).default({}),
  installments: z.int().default(1),
  binary_mode: z.boolean().default(false),
  statement_descriptor: z.string().nullable().default(null),
  notification_url: z.string().nullable().default(null),
  /** As it was sent. */
  date_of_expiration: z.string().nullable().default(null),
  /** Cents. */
  application_fee: z.int().default(0),
  card: z
    .object({
      first_six_digits: z.string(),
      last_four_digits: z.string(),
      expiration_month: z.int(),
      expiration_year: z.int(),
    })
    .nullable()
    .default(null),
  point_of_interaction: z
    .object({ type: z.string(), transaction_data: z.record(z.string(), z.unknown()) })
    .nullable()
    .default(null),
  /** The word of a decline, or of a payment that is reviewed; null: by the response code. */
  status_detail: z.string().nullable().default(null),
});
export type MercadoPagoData = z.output<typeof paymentData>;

/** Of a charge that another protocol created, which has none: the defaults. */
export function paymentDataOf(charge: StoredCharge): MercadoPagoData {
  return paymentData.parse(charge.operations[0]?.wireData ?? {});
}

const followUpData = z.object({
  /** Whether it is the outcome of a review. */
  review: z.boolean().default(false),
});

/** Whether an operation is the outcome of a review, which no request asked for. */
export function isReview(operation: StoredOperation): boolean {
  return followUpData.parse(operation.wireData ?? {}).review;
}

/** What is known of the review of a payment; null if there is none. */
export function reviewOf(charge: StoredCharge): 'pending' | 'approved' | 'rejected' | null {
  const outcome = charge.operations.find(isReview);
  if (outcome === undefined) return null;
  if (outcome.pending !== undefined) return 'pending';
  return outcome.operation === 'capture' ? 'approved' : 'rejected';
}
