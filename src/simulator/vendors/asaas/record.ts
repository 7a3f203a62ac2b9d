import { z } from 'zod';
import type { StoredCharge, StoredOperation } from '../../charge-store';

/** The parts of a split in cents; the percentage is of the net amount. */
const splitData = z.object({
  walletId: z.string(),
  fixedValue: z.int().nullable(),
  percentualValue: z.number().nullable(),
  totalFixedValue: z.int().nullable(),
  externalReference: z.string().nullable(),
  description: z.string().nullable(),
  amount: z.int(),
});
export type AsaasSplit = z.output<typeof splitData>;

/** What a payment's request says and its answers repeat. No card number and no customer data. */
const paymentData = z.object({
  external_reference: z.string().nullable().default(null),
  customer: z.string().default(''),
  description: z.string().nullable().default(null),
  due_date: z.string().default('2000-01-01'),
  installments: z.int().default(1),
  card: z
    .object({ creditCardNumber: z.string(), creditCardBrand: z.string(), creditCardToken: z.string() })
    .nullable()
    .default(null),
  days_to_cancellation: z.int().nullable().default(null),
  splits: z.array(splitData).default([]),
  /** Asaas' fee in cents, of which `netValue` is free. */
  fee: z.int().default(0),
  in_review: z.boolean().default(false),
});
export type AsaasPaymentData = z.output<typeof paymentData>;

const followUpData = z.object({
  /** The installment that is refunded; null for the whole charge. */
  part: z.int().nullable().default(null),
  description: z.string().nullable().default(null),
  /** Whether its result came, or comes, later. */
  deferred: z.boolean().default(false),
  /** Whether it is the outcome of a risk analysis. */
  review: z.boolean().default(false),
});

/** Of a charge that another protocol created, which has none: the defaults. */
export function paymentDataOf(charge: StoredCharge): AsaasPaymentData {
  return paymentData.parse(charge.operations[0]?.wireData ?? {});
}

export function followUpDataOf(operation: StoredOperation): z.output<typeof followUpData> {
  return followUpData.parse(operation.wireData ?? {});
}

/** The numbers of the payments of a charge: https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito, one per installment. */
export function partsOf(charge: StoredCharge): number[] {
  return Array.from({ length: paymentDataOf(charge).installments }, (_, index) => index + 1);
}

/** The cents of an installment. Not documented: which one has the rest of the division; here the last. */
export function centsOf(charge: StoredCharge, part: number, total = charge.amount): number {
  const { installments } = paymentDataOf(charge);
  const each = Math.floor(total / installments);
  return part === installments ? total - each * (installments - 1) : each;
}

/** The refunds of an installment, and the releases of its authorization. What was refused at once was answered with an error. */
export function refundsOf(charge: StoredCharge, part: number): StoredOperation[] {
  return charge.operations.filter((operation) => {
    const isRelease = operation.operation === 'cancel' && charge.method === 'card';
    const data = followUpDataOf(operation);
    return (
      (operation.operation === 'refund' || isRelease) &&
      !data.review &&
      (data.part === null || data.part === part) &&
      (operation.status !== 'declined' || data.deferred)
    );
  });
}

/** The cents of this installment in one of its refunds. */
export function refundedCents(charge: StoredCharge, part: number, operation: StoredOperation): number {
  return followUpDataOf(operation).part === part ? operation.amount : centsOf(charge, part, operation.amount);
}

const OUR_REFERENCE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/**
 * The merchant's reference of a follow-up: the word of its description that begins with the payment's transaction id, or else
 * the charge's with the operation's name. Asaas has no field for it.
 */
export function followUpReference(
  charge: StoredCharge,
  operation: 'capture' | 'cancel' | 'refund',
  description: string | null,
): string {
  const [transaction = charge.reference] = OUR_REFERENCE.exec(charge.reference) ?? [];
  const words = (description ?? '').split(/[\s,;()[\]]+/);
  const own = words.find((word) => word.startsWith(transaction) && word !== charge.reference);
  if (own !== undefined) return own;
  const nth = 1 + charge.operations.filter((each) => each.operation === operation).length;
  return `${charge.reference}-${operation}${nth === 1 ? '' : `-${nth}`}`;
}
