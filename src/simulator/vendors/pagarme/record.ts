import { z } from 'zod';
import type { StoredCharge, StoredOperation } from '../../charge-store';

const split = z.object({
  type: z.enum(['flat', 'percentage']),
  amount: z.int(),
  recipient_id: z.string(),
  options: z.object({
    liable: z.boolean(),
    charge_processing_fee: z.boolean(),
    charge_remainder_fee: z.boolean(),
  }),
});

/** What an order's request says and its answers repeat. No card number and no customer data. */
const orderData = z.object({
  code: z.string().nullable().default(null),
  metadata: z.record(z.string(), z.string()).default({}),
  items: z
    .array(
      z.object({
        amount: z.int(),
        description: z.string(),
        quantity: z.int(),
        code: z.string().nullable(),
      }),
    )
    .default([]),
  customer_id: z.string().nullable().default(null),
  closed: z.boolean().default(true),
  card: z
    .object({
      id: z.string(),
      brand: z.string(),
      first_six_digits: z.string(),
      last_four_digits: z.string(),
      exp_month: z.int(),
      exp_year: z.int(),
    })
    .nullable()
    .default(null),
  installments: z.int().default(1),
  statement_descriptor: z.string().nullable().default(null),
  payment_origin: z
    .object({ charge_id: z.string().nullable(), brand_id: z.string().nullable() })
    .nullable()
    .default(null),
  split: z.array(split).default([]),
  document_number: z.string().nullable().default(null),
  max_days_to_pay_past_due: z.int().nullable().default(null),
  /** What the order lacked, so that it failed before an acquirer saw it. */
  gateway_errors: z.array(z.string()).default([]),
  antifraud: z.boolean().default(false),
  /** Whether the anti-fraud service keeps the charge for a manual review. */
  in_review: z.boolean().default(false),
});
export type OrderData = z.output<typeof orderData>;

const followUpData = z.object({
  /** The code that a capture gives the charge. */
  code: z.string().nullable().default(null),
  /** Whether it is the outcome of a manual review. */
  review: z.boolean().default(false),
});

/** Of a charge that another protocol created, which has none: the defaults. */
export function orderDataOf(charge: StoredCharge): OrderData {
  return orderData.parse(charge.operations[0]?.wireData ?? {});
}

export function followUpDataOf(operation: StoredOperation): z.output<typeof followUpData> {
  return followUpData.parse(operation.wireData ?? {});
}

export function orderCodeOf(charge: StoredCharge): string {
  return orderDataOf(charge).code ?? charge.reference;
}

/** The order's code, unless a capture gave the charge another one (recorded: `successful-capture`). */
export function chargeCodeOf(charge: StoredCharge): string {
  const captured = charge.operations.findLast(
    ({ operation, status }) => operation === 'capture' && status !== 'declined',
  );
  return (captured && followUpDataOf(captured).code) ?? orderCodeOf(charge);
}
