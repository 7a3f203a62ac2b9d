import { z } from 'zod';

/*
 * What the requests contain, as the tables of the manual say (https://developercielo.github.io/manual/cielo-ecommerce): lengths,
 * alphabets and what is required. Its examples write flags as booleans and as texts.
 */

const text = (longest: number) => z.string().min(1).max(longest);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);
const cents = z.int().positive().max(999_999_999_999_999);

const address = {
  Street: text(255),
  Number: text(15),
  Complement: text(50).optional(),
  ZipCode: text(9),
  City: text(50),
  State: text(2),
  Country: text(35).optional(),
};
const billing = z
  .strictObject({
    Street: text(24),
    Number: text(5),
    Complement: text(14),
    Neighborhood: text(15),
    City: text(20),
    State: text(2),
    Country: text(2),
    ZipCode: text(9),
  })
  .partial();

const customer = {
  Name: text(255),
  Status: z.enum(['NEW', 'EXISTING']).optional(),
  Identity: z.string().regex(/^[0-9A-Za-z]{5,14}$/),
  IdentityType: z.enum(['CPF', 'CNPJ', 'RG']),
  Email: text(255).optional(),
  Birthdate: z.iso.date().optional(),
  Phone: text(15).optional(),
  Mobile: text(15).optional(),
  IpAddress: text(45).optional(),
  Address: z
    .strictObject({ ...address, District: text(50).optional() })
    .partial()
    .optional(),
  DeliveryAddress: z
    .strictObject({ ...address, District: text(50).optional() })
    .partial()
    .optional(),
  Billing: billing.optional(),
};

const cardOnFile = z.strictObject({
  Usage: z.enum(['First', 'Used']),
  Reason: z.enum(['Recurring', 'Unscheduled', 'Installments']).optional(),
});

/** Holder: no accents and no special characters. */
const cardFields = {
  CardNumber: z
    .string()
    .max(19)
    .regex(/^\d{13,19}$/),
  Holder: z
    .string()
    .min(1)
    .max(25)
    .regex(/^[A-Za-z ]+$/),
  ExpirationDate: z.string().regex(/^(?:0[1-9]|1[0-2])\/20\d\d$/),
  SecurityCode: z
    .string()
    .max(4)
    .regex(/^\d{3,4}$/)
    .optional(),
  SaveCard: flag.default(false),
  Brand: z.enum(['Visa', 'Master', 'Amex', 'Elo', 'Aura', 'JCB', 'Diners', 'Discover', 'Hipercard', 'Hiper']),
  CardOnFile: cardOnFile.optional(),
};
const creditCard = z.strictObject(cardFields);
export type CieloCard = z.output<typeof creditCard>;

const common = { Amount: cents, Currency: z.literal('BRL').optional(), Country: text(3).optional() };

const cardPayment = z.strictObject({
  Type: z.literal('CreditCard'),
  ...common,
  Provider: text(15).optional(),
  ServiceTaxAmount: z.int().min(0).default(0),
  SoftDescriptor: z
    .string()
    .regex(/^[A-Za-z0-9 ]{1,13}$/)
    .optional(),
  Installments: z.int().min(1).max(99),
  Interest: z.enum(['ByMerchant', 'ByIssuer']).optional(),
  Capture: flag.default(false),
  Authenticate: flag.default(false),
  Recurrent: flag.default(false),
  Tip: flag.optional(),
  IsCryptoCurrencyNegotiation: flag.optional(),
  AirlineData: z.strictObject({ TicketNumber: text(13) }).optional(),
  IssuerTransactionId: text(64).optional(),
  InitiatedTransactionIndicator: z
    .strictObject({ Category: z.enum(['C1', 'M1', 'M2']), Subcategory: text(30) })
    .optional(),
  CreditCard: creditCard,
});

const pixPayment = z.strictObject({ Type: z.literal('Pix'), ...common });

const boletoPayment = z.strictObject({
  Type: z.literal('Boleto'),
  ...common,
  /** `Simulado` is that of the sandbox. `BancoDoBrasil2` ended in 2026: https://docs.cielo.com.br/ecommerce-cielo/docs/banco-do-brasil */
  Provider: z.enum(['Bradesco2', 'BancoDoBrasil3', 'Simulado']),
  Address: text(255).optional(),
  BoletoNumber: z
    .string()
    .regex(/^\d{1,11}$/)
    .optional(),
  Assignor: text(200).optional(),
  Demonstrative: text(255).optional(),
  ExpirationDate: z.iso.date(),
  Identification: z
    .string()
    .regex(/^[0-9A-Za-z]{11,14}$/)
    .optional(),
  Instructions: text(255).optional(),
});

const order = { MerchantOrderId: z.string().regex(/^[A-Za-z0-9]{1,50}$/) };
const { Name, Identity, IdentityType, ...optional } = customer;
const anyone = {
  Name: Name.optional(),
  Identity: Identity.optional(),
  IdentityType: IdentityType.optional(),
  ...optional,
};
/** "Regras Adicionais" of Bradesco, which Cielo checks; it cuts off a name. */
const slipAddress = z.strictObject({
  ...address,
  Street: text(70),
  Number: text(10),
  Complement: text(20).optional(),
  District: text(50),
});

/** The bodies of `POST /1/sales/` by `Payment.Type`. */
export const SALE_BODIES = {
  CreditCard: z.strictObject({
    ...order,
    Customer: z.strictObject(anyone).optional(),
    Payment: cardPayment,
  }),
  Pix: z.strictObject({ ...order, Customer: z.strictObject(customer), Payment: pixPayment }),
  Boleto: z.strictObject({
    ...order,
    Customer: z.strictObject({ ...anyone, Name, Identity, Address: slipAddress }),
    Payment: boletoPayment,
  }),
} as const;
export type SaleType = keyof typeof SALE_BODIES;
export type CieloSale = z.output<(typeof SALE_BODIES)[SaleType]>;
export type CardSale = z.output<typeof SALE_BODIES.CreditCard>;

export const isSaleType = (type: unknown): type is SaleType =>
  typeof type === 'string' && Object.keys(SALE_BODIES).includes(type);

/** `POST /1/zeroauth`. */
export const zeroAuthBody = z.strictObject({
  CardType: z.enum(['CreditCard', 'DebitCard']).default('CreditCard'),
  ...cardFields,
});
