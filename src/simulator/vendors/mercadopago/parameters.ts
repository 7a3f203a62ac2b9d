import { z } from 'zod';
import type { SimulatorResponse } from '../../replies';
import { badRequest } from './errors';

/**
 * Bodies of requests. Names: SDK 3.6.1, `clients/payment/create/types`. Another name is an error (code 8 of
 * https://www.mercadopago.com.br/developers/en/reference/payments/_payments/post).
 */
const text = z.string();
const required = z.string().min(1);
const optional = <T extends z.ZodType>(schema: T) => schema.nullish();

/** A number with at most two decimals. */
const money = z
  .number()
  .refine((value) => Math.abs(Math.round(value * 100) / 100 - value) < 1e-9, 'decimals');

/** https://www.mercadopago.com.br/developers/en/reference/payments/_payments/post, code 23: yyyy-MM-dd'T'HH:mm:ss with an offset. */
const dateTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?(Z|[+-]\d{2}:?\d{2})$/)
  .refine((value) => !Number.isNaN(Date.parse(value)));

const identification = z.strictObject({ type: z.enum(['CPF', 'CNPJ']), number: required });
const phone = z.strictObject({
  area_code: optional(text),
  number: optional(text),
  extension: optional(text),
});

const address = z.strictObject({
  zip_code: optional(required),
  street_name: optional(required),
  street_number: optional(z.union([required, z.int()])),
  neighborhood: optional(required),
  city: optional(required),
  federal_unit: optional(required),
  floor: optional(text),
  apartment: optional(text),
});

const payer = z.strictObject({
  type: optional(z.enum(['customer', 'registered', 'guest'])),
  id: optional(text),
  email: z.email().max(254),
  identification: optional(identification),
  phone: optional(phone),
  first_name: optional(required),
  last_name: optional(required),
  entity_type: optional(z.enum(['individual', 'association'])),
  address: optional(address),
});

const item = z.strictObject({
  id: optional(text),
  title: optional(text),
  description: optional(text),
  picture_url: optional(text),
  category_id: optional(text),
  quantity: optional(z.number()),
  unit_price: optional(z.number()),
  currency_id: optional(text),
  warranty: optional(z.boolean()),
  event_date: optional(text),
  category_descriptor: z.unknown().optional(),
});

const additionalInfo = z.strictObject({
  ip_address: optional(text),
  items: optional(z.array(item)),
  payer: optional(
    z.strictObject({
      first_name: optional(text),
      last_name: optional(text),
      phone: optional(phone),
      address: optional(address),
      registration_date: optional(text),
      authentication_type: optional(text),
      is_prime_user: optional(z.boolean()),
      is_first_purchase_online: optional(z.boolean()),
      last_purchase: optional(text),
    }),
  ),
  shipments: z.unknown().optional(),
});

const transactionData = z.strictObject({
  first_time_use: optional(z.boolean()),
  first_transaction: optional(z.boolean()),
  subscription_sequence: optional(z.strictObject({ number: optional(z.int()), total: optional(z.int()) })),
  subscription_id: optional(text),
  invoice_period: optional(z.strictObject({ period: optional(z.int()), type: optional(text) })),
  payment_reference: optional(z.strictObject({ id: optional(text) })),
  reference: optional(z.strictObject({ id: optional(text) })),
  billing_date: optional(text),
  network_transaction_id: optional(text),
  network_data: optional(
    z.strictObject({ transaction_id: optional(text), transaction_link_id: optional(text) }),
  ),
  transaction_initiator: optional(z.enum(['customer', 'merchant'])),
  storage: optional(z.enum(['store', 'stored'])),
});

export const paymentBody = z.strictObject({
  transaction_amount: money.positive(),
  token: optional(required),
  description: optional(text),
  installments: optional(z.int().min(1)),
  payment_method_id: optional(required),
  issuer_id: optional(z.union([text, z.int()])),
  payer,
  capture: optional(z.boolean()),
  binary_mode: optional(z.boolean()),
  external_reference: optional(text.max(256)),
  notification_url: optional(z.url().max(500)),
  callback_url: optional(text),
  statement_descriptor: optional(text.max(22)),
  date_of_expiration: optional(dateTime),
  application_fee: optional(money),
  campaign_id: optional(z.union([text, z.int()])),
  coupon_amount: optional(money),
  coupon_code: optional(text),
  differential_pricing_id: optional(z.int()),
  metadata: optional(z.record(z.string(), z.unknown())),
  additional_info: optional(additionalInfo),
  payment_method: optional(
    z.strictObject({ type: optional(text), data: optional(z.record(z.string(), z.unknown())) }),
  ),
  /** https://www.mercadopago.com.br/developers/en/docs/checkout-api/how-tos/integrate-3ds */
  three_d_secure_mode: optional(z.enum(['not_supported', 'optional', 'mandatory'])),
  forward_data: optional(
    z.strictObject({
      sub_merchant: optional(z.record(z.string(), z.unknown())),
      network_transaction_data: optional(z.strictObject({ network_transaction_id: optional(text) })),
    }),
  ),
  point_of_interaction: optional(
    z.strictObject({
      type: optional(text),
      sub_type: optional(text),
      linkedTo: optional(text),
      transaction_data: optional(transactionData),
    }),
  ),
  sponsor_id: optional(z.int()),
  transaction_details: optional(z.strictObject({ financial_institution: optional(text) })),
});
export type MercadoPagoPaymentBody = z.output<typeof paymentBody>;

/** https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/integration */
export const validationBody = paymentBody.extend({ transaction_amount: money });

/** mercadopago/openapi, `PaymentUpdateRequest`. */
export const updateBody = z.strictObject({
  capture: optional(z.literal(true)),
  status: optional(text),
  transaction_amount: optional(money),
  date_of_expiration: optional(dateTime),
});
export type UpdateBody = z.output<typeof updateBody>;

export const refundBody = z.strictObject({ amount: optional(money) });

/** The codes of wrong fields, where the page above has them. The first entry is the code of a missing field. */
const FIELD_CODES: Readonly<Record<string, readonly [missing: number, wrong: number]>> = {
  transaction_amount: [4002, 2072],
  payment_method_id: [4001, 3028],
  installments: [4004, 4033],
  payer: [4006, 4006],
  'payer.email': [4050, 4050],
  'payer.type': [4013, 4029],
  'payer.identification': [2067, 2067],
  'payer.identification.number': [2067, 2067],
  'payer.identification.type': [2067, 2067],
  notification_url: [4020, 4020],
  metadata: [4022, 4022],
  application_fee: [4039, 4039],
  coupon_amount: [4026, 4026],
  date_of_expiration: [23, 23],
  status: [4017, 2016],
  amount: [4041, 4041],
};
const PARAMS_ERROR = 1;
const WRONG_NAME = 8;

/** The first thing that is wrong with a body. */
export function invalidBody(error: z.ZodError): SimulatorResponse {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).join('.');
  if (issue?.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`)).join(',');
    return badRequest(WRONG_NAME, `The name of the following parameters is wrong : [${names}]`, names);
  }
  const isMissing = issue?.message.endsWith('received undefined') === true;
  const [missing, wrong] = FIELD_CODES[path] ?? [PARAMS_ERROR, PARAMS_ERROR];
  return badRequest(
    isMissing ? missing : wrong,
    isMissing ? `${path} attribute can't be null` : `Invalid ${path}`,
    path,
  );
}

export const cents = (amount: number): number => Math.round(amount * 100);
