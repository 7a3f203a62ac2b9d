import { z } from 'zod';

/**
 * Cielo's objects as far as the driver reads them: API E-commerce 3.0, https://developercielo.github.io/manual/cielo-ecommerce.
 * Amounts are cents. A state that is not listed makes an answer unreadable, so that it proves nothing.
 */
const guid = z.guid().transform((text) => text.toLowerCase());
const cents = z.int().nonnegative();
const text = z
  .union([z.string(), z.int()])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === '' ? null : String(value)));

/** The page's table "Status transacional". */
export const SALE_STATUSES = [0, 1, 2, 3, 10, 11, 12, 13, 20] as const;
const status = z.literal(SALE_STATUSES);

/** `2020-10-15 18:53:20` in Brasília. */
const dateTime = z.string().regex(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}/);

const payment = z.object({
  PaymentId: guid,
  Type: z.string().min(1).max(100),
  Amount: cents,
  Status: status,
  ReceivedDate: dateTime.nullish().transform((value) => value ?? null),
  CapturedAmount: cents.nullish().transform((value) => value ?? null),
  VoidedAmount: cents.nullish().transform((value) => value ?? 0),
  ReturnCode: text,
  ReturnMessage: text,
  AuthorizationCode: text,
  /** The network's id of the transaction. */
  IssuerTransactionId: text,
  MerchantAdviceCode: text,
  QrCodeString: text,
  EndToEndId: text,
  /** Of a boleto, `2020-12-31`. */
  ExpirationDate: text,
  Url: text,
  BarCodeNumber: text,
  DigitableLine: text,
});
export type CieloPayment = z.output<typeof payment>;

/** The answer to a sale, and to an inquiry by its id. */
export const saleReply = z.object({ MerchantOrderId: z.string(), Payment: payment });
export type CieloSaleReply = z.output<typeof saleReply>;

const found = z.object({ PaymentId: guid });
/** The manual writes `Payment`, its gateway `Payments`; one sale may stand alone. */
export const saleList = z.union([
  z.object({ Payments: z.array(found) }).transform(({ Payments }) => Payments),
  z.object({ Payment: z.array(found) }).transform(({ Payment }) => Payment),
  found.transform((only) => [only]),
]);

/** The answer to a capture or a void. It names its sale only in its links. */
export const changeReply = z.object({
  Status: status,
  ReturnCode: text,
  ReturnMessage: text,
  ReasonCode: text,
  Links: z.array(z.object({ Href: z.string() })).nullish(),
});
export type CieloChange = z.output<typeof changeReply>;

/** "Zero Auth", the answer. */
export const verificationReply = z.object({
  Valid: z.boolean(),
  ReturnCode: text,
  ReturnMessage: text,
  IssuerTransactionId: text,
  MerchantAdviceCode: text,
});

const error = z.object({
  Code: z.union([z.int(), z.string().max(20)]).transform(String),
  Message: z.string(),
});
/** Sales answer a list, the verification of a card one error. */
export const errorReply = z.union([z.array(error).min(1), error.transform((only) => [only])]);
export type CieloError = z.output<typeof error>;

/** "Endpoint de Notificação". */
export const notification = z.object({
  PaymentId: guid,
  ChangeType: z.int().min(1).max(99),
});
