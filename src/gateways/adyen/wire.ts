import { z } from 'zod';

/**
 * Adyen's objects as far as the driver reads them (OpenAPI of Checkout v72 and of the standard webhooks, github.com/Adyen/adyen-openapi).
 * Amounts are in minor units. A value that is not listed makes an answer unreadable, so that it proves nothing.
 */
export const API_VERSION = 'v72';

const amount = z.object({ value: z.int().nonnegative(), currency: z.string().length(3) });
const text = z.string().nullish();

/** https://docs.adyen.com/online-payments/build-your-integration/payment-result-codes */
export const RESULT_CODES = [
  'AuthenticationFinished',
  'AuthenticationNotRequired',
  'Authorised',
  'Cancelled',
  'ChallengeShopper',
  'Error',
  'IdentifyShopper',
  'PartiallyAuthorised',
  'Pending',
  'PresentToShopper',
  'Received',
  'RedirectShopper',
  'Refused',
  'Success',
] as const;

/** What the account's owner has switched on: Customer Area, Developers, Additional data. */
const additionalData = z
  .object({
    authCode: text,
    merchantAdviceCode: text,
    merchantReference: text,
    networkTxReference: text,
    'pix.expirationDate': text,
    refusalReasonRaw: text,
    transactionLinkId: text,
  })
  .nullish()
  .transform((data) => data ?? {});
export type AdditionalData = z.output<typeof additionalData>;

const action = z.object({
  type: z.string(),
  paymentMethodType: text,
  qrCodeData: text,
  reference: text,
  downloadUrl: text,
  url: text,
  expiresAt: text,
});

/** `PaymentResponse` */
export const paymentReply = z.object({
  resultCode: z.enum(RESULT_CODES),
  pspReference: z.string().min(1).nullish(),
  merchantReference: text,
  amount: amount.nullish(),
  refusalReason: text,
  refusalReasonCode: text,
  additionalData,
  action: action.nullish(),
});
export type PaymentReply = z.output<typeof paymentReply>;

/** `PaymentCaptureResponse`, `PaymentCancelResponse` and `PaymentRefundResponse`. */
export const modificationReply = z.object({
  status: z.literal('received'),
  paymentPspReference: z.string().min(1),
  pspReference: z.string().min(1),
  reference: text,
  amount: amount.nullish(),
});
export type ModificationReply = z.output<typeof modificationReply>;

/** `PaymentMethodsResponse`, of which only the form matters. */
export const methodsReply = z.object({ paymentMethods: z.array(z.looseObject({ type: z.string() })) });

/** https://docs.adyen.com/development-resources/error-codes */
const ERROR_TYPES = ['validation', 'security', 'configuration', 'internal'] as const;
/** `ServiceError` */
export const errorReply = z.object({
  status: z.int(),
  errorCode: z.string().min(1),
  errorType: z.enum(ERROR_TYPES),
  message: text,
});
export type AdyenError = z.output<typeof errorReply>;

/** What the signature does not cover makes no notification unreadable. */
const unsignedText = text.catch(null);

/** `DisputesNotificationAdditionalData` */
const disputeData = z.object({
  autoDefended: unsignedText,
  chargebackReasonCode: unsignedText,
  defendable: unsignedText,
  /** ISO 8601 with an offset. */
  defensePeriodEndsAt: unsignedText,
  disputeStatus: unsignedText,
  rfiReasonCode: unsignedText,
});
export type DisputeData = Partial<z.output<typeof disputeData>>;

/** `NotificationRequestItem`: https://docs.adyen.com/development-resources/webhooks/webhook-types */
export const notificationItem = z.object({
  pspReference: z.string().min(1),
  originalReference: text,
  merchantAccountCode: z.string().min(1),
  merchantReference: text,
  amount: z.object({ value: z.int(), currency: z.string() }).nullish(),
  eventCode: z.string().regex(/^[A-Z_]{1,100}$/),
  /** ISO 8601 with an offset. */
  eventDate: unsignedText,
  success: z.enum(['true', 'false']),
  additionalData: disputeData.extend({ hmacSignature: text }).nullish(),
});
export type NotificationItem = z.output<typeof notificationItem>;

/** Several events may come in one request. */
export const notification = z.object({
  live: z.enum(['true', 'false']),
  notificationItems: z.array(z.object({ NotificationRequestItem: notificationItem })).min(1),
});

/** `ServiceError` of the Legal Entity Management API, and `RestServiceError` of the Configuration API. */
export const platformErrorReply = z.object({
  status: z.int(),
  errorCode: z.string().min(1),
  invalidFields: z
    .array(z.object({ name: text }))
    .nullish()
    .transform((fields) => (fields ?? []).flatMap(({ name }) => name ?? [])),
});

const id = z.string().min(1).max(100);

/** Legal Entity Management v4, `LegalEntity` */
export const legalEntityReply = z.object({
  id,
  problems: z.array(z.unknown()).nullish(),
  transferInstruments: z.array(z.unknown()).nullish(),
});

/** `OnboardingLink` */
export const onboardingLinkReply = z.object({ url: z.url({ protocol: /^https?$/ }) });

const capability = z.object({
  allowed: z.boolean().nullish(),
  enabled: z.boolean().nullish(),
  verificationStatus: z.enum(['invalid', 'pending', 'rejected', 'valid']).nullish(),
  problems: z.array(z.unknown()).nullish(),
});
export type AdyenCapability = z.output<typeof capability>;

/** Configuration v2, `AccountHolder` */
export const accountHolderReply = z.object({
  id,
  legalEntityId: id,
  reference: text,
  status: z.enum(['active', 'closed', 'suspended']).nullish(),
  capabilities: z.record(z.string(), capability).nullish(),
});
export type AccountHolder = z.output<typeof accountHolderReply>;

/** `BalanceAccount` */
export const balanceAccountReply = z.object({
  id,
  accountHolderId: id,
  reference: text,
  status: z.enum(['active', 'closed', 'inactive', 'suspended']).nullish(),
});
export type BalanceAccount = z.output<typeof balanceAccountReply>;

/** `PaginatedAccountHoldersResponse`. Of those of others only the reference is read. */
export const accountHolderList = z.object({
  accountHolders: z.array(z.object({ id, reference: text })),
  hasNext: z.boolean(),
});
/** `PaginatedBalanceAccountsResponse` */
export const balanceAccountList = z.object({
  balanceAccounts: z.array(balanceAccountReply),
  hasNext: z.boolean(),
});
