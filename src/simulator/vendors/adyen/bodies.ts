import { z } from 'zod';

/**
 * Bodies of requests: Adyen/adyen-openapi, CheckoutService-v72, with its required fields, lengths and enums. Objects that this
 * fake does not read are not looked into; the API's own document decides on them in the tests.
 */
const text = z.string();
const anything = z.unknown().optional();
const dateTime = text.refine((value) => !Number.isNaN(Date.parse(value)), 'no date');

const amount = z.strictObject({ currency: text.length(3), value: z.int().nonnegative() });

const shopperName = z.strictObject({ firstName: text.max(80), lastName: text.max(80) });

const address = z.strictObject({
  city: text.max(3000),
  country: text.length(2),
  houseNumberOrName: text.max(3000),
  postalCode: text.max(10),
  stateOrProvince: text.max(3).optional(),
  street: text.max(3000),
});

/** `CardDetails` with raw data. Tokens and encrypted fields are not simulated. */
const card = z.strictObject({
  type: z.enum(['scheme', 'card']),
  number: text,
  expiryMonth: text,
  expiryYear: text,
  cvc: text.optional(),
  holderName: text.max(15000).optional(),
  brand: text.optional(),
  fundingSource: z.enum(['credit', 'debit', 'prepaid']).optional(),
  networkPaymentReference: text.optional(),
  checkoutAttemptId: text.optional(),
});
export type AdyenCard = z.output<typeof card>;

const BOLETOS = [
  'boletobancario',
  'boletobancario_bancodobrasil',
  'boletobancario_bradesco',
  'boletobancario_hsbc',
  'boletobancario_itau',
  'boletobancario_santander',
  'primeiropay_boleto',
] as const;

const paymentMethod = z.discriminatedUnion('type', [
  card,
  z.strictObject({ type: z.literal('pix'), checkoutAttemptId: text.optional() }),
  z.strictObject({ type: z.enum(BOLETOS), checkoutAttemptId: text.optional() }),
]);

const SPLIT_TYPES = [
  'AcquiringFees',
  'AdyenCommission',
  'AdyenFees',
  'AdyenMarkup',
  'BalanceAccount',
  'Commission',
  'Default',
  'Interchange',
  'MarketPlace',
  'PaymentFee',
  'Remainder',
  'SchemeFee',
  'Surcharge',
  'Tip',
  'TopUp',
  'VAT',
] as const;

/** `Split` */
export const splitBody = z.strictObject({
  type: z.enum(SPLIT_TYPES),
  account: text.optional(),
  amount: z.strictObject({ currency: text.length(3).optional(), value: z.int() }).optional(),
  description: text.optional(),
  reference: text.optional(),
});
export type AdyenSplitBody = z.output<typeof splitBody>;

export const paymentBody = z.strictObject({
  amount,
  merchantAccount: text.min(1),
  paymentMethod,
  reference: text.min(1).max(80),
  returnUrl: text.min(1).max(1024),
  additionalData: z.record(text, text).default({}),
  authenticationData: z
    .strictObject({
      attemptAuthentication: z.enum(['always', 'never']).optional(),
      authenticationOnly: z.boolean().optional(),
      threeDSRequestData: anything,
    })
    .optional(),
  billingAddress: address.optional(),
  captureDelayHours: z.int().min(0).max(672).optional(),
  channel: z.enum(['iOS', 'Android', 'Web']).optional(),
  countryCode: text.max(100).optional(),
  deliveryDate: dateTime.optional(),
  installments: z
    .strictObject({ value: z.int().min(1).max(99), plan: text.optional(), extra: anything })
    .optional(),
  merchantOrderReference: text.max(1000).optional(),
  metadata: z.record(text, text).optional(),
  origin: text.max(80).optional(),
  recurringProcessingModel: z.enum(['CardOnFile', 'Subscription', 'UnscheduledCardOnFile']).optional(),
  sessionValidity: dateTime.optional(),
  shopperEmail: text.max(256).optional(),
  shopperIP: text.max(50).optional(),
  shopperInteraction: z.enum(['Ecommerce', 'ContAuth', 'Moto', 'POS']).optional(),
  shopperLocale: text.optional(),
  shopperName: shopperName.optional(),
  shopperReference: text.min(3).max(256).optional(),
  shopperStatement: text.max(10000).optional(),
  socialSecurityNumber: text.max(50).optional(),
  storePaymentMethod: z.boolean().optional(),
  telephoneNumber: text.max(64).optional(),
  applicationInfo: anything,
  browserInfo: anything,
  company: anything,
  dateOfBirth: anything,
  deliveryAddress: anything,
  entityType: z.enum(['NaturalPerson', 'CompanyName']).optional(),
  lineItems: z.array(z.unknown()).optional(),
  mcc: text.optional(),
  order: anything,
  riskData: anything,
  shopperTaxInfo: anything,
  splits: z.array(splitBody).optional(),
  store: text.min(1).max(64).optional(),
  threeDSAuthenticationOnly: z.boolean().optional(),
  trustedShopper: z.boolean().optional(),
});
export type AdyenPaymentBody = z.output<typeof paymentBody>;

const modification = {
  merchantAccount: text.min(1),
  reference: text.max(80).optional(),
  applicationInfo: anything,
};

export const paymentMethodsBody = z.strictObject({
  merchantAccount: text.min(1),
  amount: amount.optional(),
  channel: z.enum(['iOS', 'Android', 'Web']).optional(),
  countryCode: text.optional(),
  shopperLocale: text.optional(),
});

export const cancelBody = z.strictObject(modification);

export const standaloneCancelBody = z.strictObject({
  ...modification,
  paymentReference: text.min(1).max(80),
});

export const captureBody = z.strictObject({
  ...modification,
  amount,
  lineItems: z.array(z.unknown()).optional(),
  splits: z.array(splitBody).optional(),
});

export const refundBody = z.strictObject({
  ...modification,
  amount,
  capturePspReference: text.optional(),
  lineItems: z.array(z.unknown()).optional(),
  merchantRefundReason: z
    .enum(['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER'])
    .nullable()
    .optional(),
  splits: z.array(splitBody).optional(),
  store: text.optional(),
});
