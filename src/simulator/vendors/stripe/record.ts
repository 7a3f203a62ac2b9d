import { z } from 'zod';
import type { StoredCharge, StoredOperation } from '../../charge-store';

const metadata = z.record(z.string(), z.string()).default({});

/** What a PaymentIntent's request says and its answers repeat. No card number and no customer data. */
const intentData = z.object({
  metadata,
  manual_capture: z.boolean().default(false),
  description: z.string().nullable().default(null),
  statement_descriptor_suffix: z.string().nullable().default(null),
  payment_method: z.string().nullable().default(null),
  card: z
    .object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })
    .nullable()
    .default(null),
  transfer: z
    .object({ destination: z.string(), amount: z.int().nullable(), fee: z.int().nullable() })
    .nullable()
    .default(null),
});
export type IntentData = z.output<typeof intentData>;

const followUpData = z.object({ metadata, reason: z.string().nullable().default(null) });
export type FollowUpData = z.output<typeof followUpData>;

const keyData = z.object({ request_hash: z.string().nullable().default(null) });

/** Of a charge that another protocol created, which has none: the defaults. */
export function intentDataOf(charge: StoredCharge): IntentData {
  return intentData.parse(charge.operations[0]?.wireData ?? {});
}

export function followUpDataOf(operation: StoredOperation): FollowUpData {
  return followUpData.parse(operation.wireData ?? {});
}

/** The hash of the request's parameters, which a repetition of its key must have too. */
export function requestHashOf(operation: StoredOperation): string | null {
  return keyData.parse(operation.wireData ?? {}).request_hash;
}

/** The metadata of a PaymentIntent after its captures, which add to it. An empty value removes a key. */
export function metadataOf(charge: StoredCharge): Readonly<Record<string, string>> {
  const captures = charge.operations.filter(({ operation }) => operation === 'capture');
  const all = [intentDataOf(charge), ...captures.map(followUpDataOf)];
  const entries = all.flatMap(({ metadata: added }) => Object.entries(added));
  return Object.fromEntries([...new Map(entries)].filter(([, value]) => value !== ''));
}

const OUR_REFERENCE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/**
 * The merchant's reference of a request. Stripe has no field for it, so it is in the metadata: under `reference`, or else in
 * whichever value begins with a payment's transaction id. Null if there is none.
 */
export function referenceIn(values: Readonly<Record<string, string>>): string | null {
  return values.reference ?? Object.values(values).find((value) => OUR_REFERENCE.test(value)) ?? null;
}
