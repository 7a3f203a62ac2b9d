import { z } from 'zod';

/** Bodies of requests. Names: SDK 7.0.2 (models of `createOrderRequest`). Unknown fields are ignored. */
const cents = z.int().positive();
const text = z.string().min(1);
const dateTime = text.refine((value) => !Number.isNaN(Date.parse(value)), 'no date');

/** https://docs.pagar.me/reference/metadata-1: texts by key. */
const metadata = z.record(z.string(), z.string()).nullable().default(null);

const phone = z.looseObject({ country_code: text, area_code: text, number: text });

/** https://docs.pagar.me/reference/erros-1: `order.customer.name` is required. */
export const customerBody = z.looseObject({
  name: text.max(64),
  email: z.string().nullable().default(null),
  document: z.string().nullable().default(null),
  type: z.enum(['individual', 'company']).nullable().default(null),
  code: z.string().nullable().default(null),
  phones: z
    .looseObject({ home_phone: phone.nullable().default(null), mobile_phone: phone.nullable().default(null) })
    .nullable()
    .default(null),
  metadata,
});
export type CustomerBody = z.output<typeof customerBody>;

export const cardBody = z.looseObject({
  number: z.string(),
  holder_name: text,
  exp_month: z.int().min(1).max(12),
  exp_year: z.int(),
  cvv: z
    .string()
    .regex(/^\d{3,4}$/)
    .nullable()
    .default(null),
});
export type CardBody = z.output<typeof cardBody>;

/** https://docs.pagar.me/reference/split-1 */
export const splitBody = z.looseObject({
  type: z.enum(['flat', 'percentage']),
  amount: z.int().nonnegative(),
  recipient_id: text,
  options: z
    .looseObject({
      liable: z.boolean().default(false),
      charge_processing_fee: z.boolean().default(false),
      charge_remainder_fee: z.boolean().default(false),
    })
    .prefault({}),
});
export type SplitBody = z.output<typeof splitBody>;

/** https://docs.pagar.me/reference/cartão-de-crédito-1. The page writes `recurrence_cycle`, the SDK `recurrency_cycle`. */
const cycle = z.enum(['first', 'subsequent']).nullable().default(null);
export const creditCardBody = z.looseObject({
  installments: z.int().min(1).max(24).default(1),
  /** At most 13 characters for customers of the payment service provider. */
  statement_descriptor: z.string().max(13).nullable().default(null),
  operation_type: z.enum(['auth_and_capture', 'auth_only']).nullable().default(null),
  /** The ancestor's field: false is `auth_only`. */
  capture: z.boolean().nullable().default(null),
  card: z.unknown().optional(),
  card_id: text.nullable().default(null),
  recurrence_cycle: cycle,
  recurrency_cycle: cycle,
  initiated_type: z
    .enum(['partial_shipment', 'related_or_delayed_charge', 'no_show', 'retry'])
    .nullable()
    .default(null),
  recurrence_model: z.enum(['standing_order', 'instalment', 'subscription']).nullable().default(null),
  payment_origin: z
    .looseObject({
      charge_id: z.string().nullable().default(null),
      brand_id: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
});
export type CreditCardBody = z.output<typeof creditCardBody>;

/** https://docs.pagar.me/reference/pix-2: one of the two; at most ten years. */
const TEN_YEARS = 10 * 365 * 24 * 60 * 60;
const pixBody = z
  .looseObject({
    expires_in: z.int().positive().max(TEN_YEARS).nullable().default(null),
    expires_at: dateTime.nullable().default(null),
    additional_information: z
      .array(z.looseObject({ name: z.string(), value: z.string() }))
      .nullable()
      .default(null),
  })
  .refine(({ expires_in, expires_at }) => (expires_in ?? expires_at ?? null) !== null, {
    path: ['expires_in'],
    message: 'expires_in or expires_at is required',
  });

const boletoBody = z.looseObject({
  due_at: dateTime.nullable().default(null),
  instructions: z.string().max(256).nullable().default(null),
  document_number: z.string().max(16).nullable().default(null),
  max_days_to_pay_past_due: z.int().nonnegative().nullable().default(null),
});

const paymentBody = z
  .looseObject({
    payment_method: z.enum(['credit_card', 'pix', 'boleto']),
    amount: cents.nullable().default(null),
    credit_card: creditCardBody.nullable().default(null),
    pix: pixBody.nullable().default(null),
    boleto: boletoBody.nullable().default(null),
    split: z.array(splitBody).nullable().default(null),
    metadata,
  })
  .refine((payment) => (payment[payment.payment_method] ?? null) !== null, {
    path: ['payment_method'],
    message: 'the object of the payment method is required',
  });
export type OrderPayment = z.output<typeof paymentBody>;

/** https://docs.pagar.me/reference/pedidos-1 */
export const orderBody = z.looseObject({
  code: text.nullable().default(null),
  /** https://docs.pagar.me/reference/erros-1: `order.items` is required. */
  items: z
    .array(
      z.looseObject({
        amount: cents,
        description: text.max(256),
        quantity: z.int().positive(),
        code: z.string().nullable().default(null),
      }),
    )
    .min(1),
  customer: customerBody.nullable().default(null),
  customer_id: text.nullable().default(null),
  payments: z.array(paymentBody).length(1, 'this fake takes one payment'),
  closed: z.boolean().nullable().default(null),
  currency: z.string().length(3).nullable().default(null),
  ip: z.string().nullable().default(null),
  antifraud_enabled: z.boolean().nullable().default(null),
  metadata,
});
export type OrderBody = z.output<typeof orderBody>;

/** SDK 7.0.2: `createCaptureChargeRequest`. */
export const captureBody = z.looseObject({
  amount: cents.nullable().default(null),
  code: text.nullable().default(null),
  split: z.array(splitBody).nullable().default(null),
  operation_reference: text.nullable().default(null),
});

/** SDK 7.0.2: `createBankAccountRefundingDTO`; a recipient's account has the same fields. */
export const bankAccount = z.looseObject({
  holder_name: text,
  holder_type: z.enum(['individual', 'company']),
  holder_document: text,
  bank: text,
  branch_number: text,
  account_number: text,
  account_check_digit: text,
  type: z.enum(['checking', 'savings']),
});

/** SDK 7.0.2: `createCancelChargeRequest`. */
export const cancelBody = z.looseObject({
  amount: cents.nullable().default(null),
  split: z.array(splitBody).nullable().default(null),
  operation_reference: text.nullable().default(null),
  bank_account: bankAccount.nullable().default(null),
});
export type CancelBody = z.output<typeof cancelBody>;

/** SDK 7.0.2: `getOrders`, `getCharges`. The API's largest page is not documented. */
export const listQuery = z.object({
  page: z.coerce.number().int().positive().default(1),
  size: z.coerce.number().int().positive().max(1_000).default(10),
  code: z.string().optional(),
  status: z.string().optional(),
  payment_method: z.string().optional(),
  order_id: z.string().optional(),
  customer_id: z.string().optional(),
  created_since: z.string().optional(),
  created_until: z.string().optional(),
});
export type ListQuery = z.output<typeof listQuery>;
