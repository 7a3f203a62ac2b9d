import { isIP } from 'node:net';
import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { z } from 'zod';
import { money } from './amounts';

/** Bodies of requests. Names and required fields: models of the official SDK (asaasdev/asaas-api-sdk-java). */
const text = z.string().trim().min(1);
const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? null);
const digits = (least: number, most: number) =>
  text.refine((value) => {
    const { length } = value.replaceAll(/\D/g, '');
    return length >= least && length <= most;
  }, 'a wrong number of digits');

export const isDocument = (value: string): boolean => isValidCpf(value) || isValidCnpj(value, { version: 2 });
const document = text.refine(isDocument, 'no CPF or CNPJ');

/** `CustomerSaveRequestDto` */
export const customerBody = z.strictObject({
  name: text,
  cpfCnpj: text,
  email: optional(z.email()),
  phone: optional(z.string()),
  mobilePhone: optional(z.string()),
  address: optional(z.string()),
  addressNumber: optional(z.string()),
  complement: optional(z.string().max(255)),
  province: optional(z.string()),
  postalCode: optional(z.string()),
  externalReference: optional(z.string()),
  notificationDisabled: optional(z.boolean()),
  additionalEmails: optional(z.string()),
  municipalInscription: optional(z.string()),
  stateInscription: optional(z.string()),
  observations: optional(z.string()),
  groupName: optional(z.string()),
  company: optional(z.string()),
  foreignCustomer: optional(z.boolean()),
});
export type AsaasCustomerBody = z.output<typeof customerBody>;

/** `CreditCardRequestDto`: "month with 2 digits", "year with 4 digits", and the code is required. */
const creditCard = z.strictObject({
  holderName: text,
  number: z.string().regex(/^\d{13,19}$/),
  expiryMonth: z.string().regex(/^(0[1-9]|1[0-2])$/),
  expiryYear: z.string().regex(/^20\d\d$/),
  ccv: z.string().regex(/^\d{3,4}$/),
});
export type AsaasCard = z.output<typeof creditCard>;

/** `CreditCardHolderInfoRequestDto`. A phone has its area code. */
const holderInfo = z.strictObject({
  name: text,
  email: z.email(),
  cpfCnpj: document,
  postalCode: digits(8, 8),
  addressNumber: text,
  addressComplement: optional(z.string()),
  phone: digits(10, 11),
  mobilePhone: optional(digits(10, 11)),
});

const remoteIp = z.string().refine((value) => isIP(value) !== 0, 'no IP address');

/** `PaymentSplitRequestDto` */
const split = z
  .strictObject({
    walletId: text,
    fixedValue: optional(money),
    percentualValue: optional(z.number().positive().max(100)),
    totalFixedValue: optional(money),
    externalReference: optional(z.string()),
    description: optional(z.string()),
  })
  .refine(
    ({ fixedValue, percentualValue, totalFixedValue }) =>
      (fixedValue ?? percentualValue ?? totalFixedValue) !== null,
    'a value is needed',
  );
export type AsaasSplitBody = z.output<typeof split>;

/** https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito: up to 21 installments, and one payment must not name any. */
export const MAX_INSTALLMENTS = { master_and_visa: 21, others: 12 } as const;

/** `PaymentSaveWithCreditCardRequestDto`, with its fields in the order in which this fake checks them. */
export const paymentBody = z
  .strictObject({
    customer: text,
    billingType: z.enum(['BOLETO', 'CREDIT_CARD', 'PIX']),
    value: money,
    dueDate: z.iso.date(),
    description: optional(z.string().max(500)),
    daysAfterDueDateToRegistrationCancellation: optional(z.int().nonnegative()),
    externalReference: optional(z.string()),
    installmentCount: optional(z.int().min(2).max(MAX_INSTALLMENTS.master_and_visa)),
    totalValue: optional(money),
    installmentValue: optional(money),
    discount: optional(z.looseObject({})),
    interest: optional(z.looseObject({})),
    fine: optional(z.looseObject({})),
    postalService: optional(z.boolean()),
    split: optional(z.array(split)),
    callback: optional(z.looseObject({ successUrl: z.url() })),
    creditCard: optional(creditCard),
    creditCardHolderInfo: optional(holderInfo),
    creditCardToken: optional(text),
    authorizeOnly: optional(z.boolean()),
    remoteIp: optional(remoteIp),
  })
  .refine(({ creditCard: card, creditCardHolderInfo: holder }) => card === null || holder !== null, {
    path: ['creditCardHolderInfo'],
  })
  .refine(
    ({ creditCard: card, creditCardToken: token, remoteIp: ip }) =>
      ip !== null || (card === null && token === null),
    { path: ['remoteIp'] },
  )
  .refine(
    ({ installmentCount, totalValue, installmentValue }) =>
      (installmentCount === null) === ((totalValue ?? installmentValue) === null),
    { path: ['installmentCount'] },
  );
export type AsaasPaymentBody = z.output<typeof paymentBody>;

/** `CreditCardTokenizeRequestDto` */
export const tokenizeBody = z.strictObject({
  customer: text,
  creditCard,
  creditCardHolderInfo: holderInfo,
  remoteIp,
});

/** `PaymentRefundRequestDto`, and `splitRefunds` of https://docs.asaas.com/reference/refund-payment-with-summary-data-in-response */
export const refundBody = z.strictObject({
  value: optional(money),
  description: optional(z.string()),
  splitRefunds: optional(z.array(z.strictObject({ id: text, value: money }))),
});

/** `AccountSaveRequestDto`. `incomeValue` is obligatory since 2024-05-30: https://docs.asaas.com/reference/create-subaccount */
export const accountBody = z.strictObject({
  name: text,
  email: z.email(),
  cpfCnpj: document.transform((value) => value.replaceAll(/[^0-9A-Za-z]/g, '')),
  mobilePhone: digits(10, 11),
  incomeValue: z.number().positive(),
  address: text,
  addressNumber: text,
  province: text,
  postalCode: digits(8, 8),
  loginEmail: optional(z.email()),
  birthDate: optional(z.iso.date()),
  companyType: optional(z.enum(['MEI', 'LIMITED', 'INDIVIDUAL', 'ASSOCIATION'])),
  phone: optional(digits(10, 11)),
  site: optional(z.string()),
  complement: optional(z.string()),
  webhooks: optional(z.array(z.looseObject({ url: z.url(), email: z.email() }))),
});
export type AsaasAccountBody = z.output<typeof accountBody>;

/** `ListSubaccountsParameters` */
export const accountQuery = z.strictObject({
  offset: z.string().optional(),
  limit: z.string().optional(),
  cpfCnpj: z.string().optional(),
  email: z.string().optional(),
  name: z.string().optional(),
  walletId: z.string().optional(),
});

export const noBody = z.strictObject({}).nullish();

/** `ListPaymentsParameters`, by their names on the wire. */
export const listQuery = z.strictObject({
  offset: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  ...Object.fromEntries(
    [
      ...['installment', 'customer', 'customerGroupName', 'billingType', 'status', 'subscription', 'user'],
      ...['externalReference', 'paymentDate', 'invoiceStatus', 'estimatedCreditDate', 'pixQrCodeId'],
      ...['anticipated', 'anticipable', 'dateCreated[ge]', 'dateCreated[le]', 'paymentDate[ge]'],
      ...[
        'paymentDate[le]',
        'estimatedCreditDate[ge]',
        'estimatedCreditDate[le]',
        'dueDate[ge]',
        'dueDate[le]',
      ],
    ].map((name) => [name, z.string().optional()] as const),
  ),
});
