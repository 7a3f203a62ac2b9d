import { z } from 'zod';
import { centsOfDecimal } from '../decimal-amount';

/**
 * Mercado Pago's objects as far as the driver reads them: https://github.com/mercadopago/openapi (schemas Payment, CardToken,
 * Error), and sdk-nodejs 3.6.1 for what that leaves out. Amounts are read as cents. A state that is not listed makes an
 * answer unreadable, so that it proves nothing.
 */
const cents = z.number().transform((amount, context) => {
  const read = centsOfDecimal(amount);
  if (read !== null) return read;
  context.addIssue({ code: 'custom', message: 'more than two decimals' });
  return z.NEVER;
});
/** Ids are numbers, in some answers as text. */
const id = z.union([z.int().positive(), z.string().regex(/^\w{1,64}$/)]).transform(String);
const text = z.string().nullish();
const instant = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .nullish();

/** https://www.mercadopago.com.br/developers/en/reference/payments/_payments_id/get */
export const PAYMENT_STATUSES = [
  'pending',
  'approved',
  'authorized',
  'in_process',
  'in_mediation',
  'rejected',
  'cancelled',
  'refunded',
  'charged_back',
] as const;

/** https://www.mercadopago.com.br/developers/en/reference/chargebacks/_payments_id_refunds/post */
export const REFUND_STATUSES = ['approved', 'in_process', 'rejected', 'cancelled'] as const;

export const refundReply = z.object({
  id,
  payment_id: id,
  amount: cents,
  /** Answers of 2017 have none: a refund was made at once then. */
  status: z.enum(REFUND_STATUSES).nullish(),
});
export type MercadoPagoRefund = z.output<typeof refundReply>;

export const refundList = z.array(refundReply);

const networkData = z.object({ transaction_id: text, transaction_link_id: text }).nullish();

export const paymentReply = z.object({
  id,
  status: z.enum(PAYMENT_STATUSES),
  status_detail: text,
  payment_method_id: text,
  payment_type_id: text,
  currency_id: z.string(),
  transaction_amount: cents,
  transaction_amount_refunded: cents.nullish(),
  external_reference: text,
  authorization_code: text,
  date_created: instant,
  date_of_expiration: instant,
  refunds: z.array(refundReply).nullish(),
  barcode: z.object({ content: text }).nullish(),
  transaction_details: z
    .object({
      external_resource_url: text,
      transaction_id: text,
      barcode: z.object({ content: text }).nullish(),
    })
    .nullish(),
  point_of_interaction: z
    .object({
      transaction_data: z
        .object({ qr_code: text, e2e_id: text, transaction_id: text, network_data: networkData })
        .nullish(),
    })
    .nullish(),
  /** Only if the request asks for it. */
  expanded: z
    .object({
      gateway: z
        .object({
          reference: z.object({ network_transaction_id: text, network_data: networkData }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  /** Set if the issuer asked for a challenge. */
  three_ds_info: z.looseObject({}).nullish(),
});
export type MercadoPagoPayment = z.output<typeof paymentReply>;

/** A validated card: https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/api-responses. Its sample has no reference of ours. */
export const validationReply = z.object({
  id,
  operation_type: z.literal('card_validation'),
  status: z.enum(['approved', 'rejected']),
  status_detail: text,
  transaction_amount: z.literal(0),
  external_reference: text,
});

/** https://www.mercadopago.com.br/developers/en/docs/checkout-pro/chargebacks/manage */
const chargeback = z.object({
  id: z.union([z.int().positive(), z.string().regex(/^[\w-]{1,64}$/)]).transform(String),
  amount: cents,
  currency: text,
  reason: text,
  coverage_applied: z.boolean().nullish(),
  documentation_status: text,
  /** What the seller gave. */
  documentation: z.array(z.unknown()).nullish(),
  date_documentation_deadline: instant,
  date_created: instant,
  date_last_updated: instant,
});
export type MercadoPagoChargeback = z.output<typeof chargeback>;
/** `GET /v1/chargebacks/{id}` */
export const chargebackReply = chargeback;
/** `GET /v1/chargebacks/search` */
export const chargebackPage = z.object({ results: z.array(chargeback) });

/** Of a page of payments only what identifies them is read: another program's payment must not hide ours. */
export const paymentPage = z.object({
  paging: z.object({ total: z.int().nonnegative() }),
  results: z.array(z.object({ id, status: z.string(), external_reference: text })),
});

export const tokenReply = z.object({ id: z.string().min(1) });

const code = z.union([z.int(), z.string()]).transform(String);

/** The API's own error has `error`, that of the authorization in front of it `code`. */
export const errorReply = z.object({
  /** Missing in some refusals of an access token. */
  status: z
    .union([z.int(), z.string().regex(/^\d{3}$/)])
    .transform(Number)
    .nullish(),
  message: z.string(),
  error: text,
  code: code.nullish(),
  cause: z
    .array(z.object({ code: code.nullish(), description: text }))
    .nullish()
    .catch(null),
});
export type MercadoPagoError = z.output<typeof errorReply>;

/**
 * https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks. Each topic has its own `data`. A
 * notification of the older kind (IPN) has a topic and a resource, and no signature.
 */
export const notificationBody = z.union([
  z.object({
    id: z.union([z.int().nonnegative(), z.string().min(1).max(64)]).transform(String),
    type: z.string(),
    data: z.looseObject({}),
  }),
  z.object({ topic: z.string(), resource: z.string() }),
]);

export const paymentNotification = z.object({ id });
/** Its `id` is the chargeback's. */
export const chargebackNotification = z.object({ payment_id: id });

/** What is kept of a seller's tokens: one is for calls, the other brings the next two. */
export const sellerSecret = z.object({ access_token: z.string().min(1), refresh_token: z.string().min(1) });

/** `POST /oauth/token`: https://github.com/mercadopago/openapi (createOAuthToken). Without `offline_access` there is no refresh token. */
export const tokensReply = z.object({
  ...sellerSecret.shape,
  expires_in: z.int().positive(),
  user_id: z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String),
});
