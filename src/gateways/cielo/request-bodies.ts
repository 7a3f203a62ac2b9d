import type { ChargeInitiation } from '../../domain/shared/charge-initiation';
import { toCompactReference } from '../compact-reference';
import { GatewayError } from '../errors';
import type {
  CardVerificationRequest,
  ChargeRequest,
  GatewayAddress,
  GatewayCard,
  GatewayCustomer,
} from '../gateway';

/** "Bandeira do cartão". */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Master',
  amex: 'Amex',
  elo: 'Elo',
  aura: 'Aura',
  jcb: 'JCB',
  diners: 'Diners',
  discover: 'Discover',
  hipercard: 'Hipercard',
};
/** "Card On File", and "Identificadores da bandeira". */
const ON_FILE_BRANDS: ReadonlySet<string> = new Set(['Visa', 'Master', 'Elo']);

const MAX_NAME = 255;
const MAX_HOLDER = 25;
const MAX_DESCRIPTOR = 13;
const MAX_EMAIL = 255;
/** "Regras Adicionais" of a boleto of Bradesco. */
const BRADESCO = { name: 34, street: 70, number: 10, complement: 20, district: 50, city: 50 } as const;
const MAX_INSTRUCTIONS = 255;

/**
 * Letters and digits only, at most 36 of which the query takes.
 *
 * @throws GatewayError `invalid_request` for an attempt that has no such form
 */
export function orderIdOf(reference: string): string {
  try {
    return toCompactReference(reference);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GatewayError('invalid_request', 'the payment has had too many attempts for this gateway');
  }
}

/** "Criando uma transação de crédito". */
export function cardSale(request: ChargeRequest, { capture }: { readonly capture: boolean }): object {
  const { card, amountCents, installments, softDescriptor, initiation, customer, reference } = request;
  if (card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  const brand = BRANDS[card.brand];
  if (brand === undefined)
    throw new GatewayError('unsupported', 'this gateway does not support the brand of the card');
  const descriptor = plain(softDescriptor ?? '', /[^A-Za-z0-9]/g).slice(0, MAX_DESCRIPTOR);
  return {
    MerchantOrderId: orderIdOf(reference),
    Customer: customerOf(customer),
    Payment: {
      Type: 'CreditCard',
      Amount: amountCents,
      Currency: 'BRL',
      Country: 'BRA',
      Installments: installments,
      Interest: 'ByMerchant',
      Capture: capture,
      Authenticate: false,
      ...(descriptor !== '' && { SoftDescriptor: descriptor }),
      ...initiationFields(initiation, brand),
      CreditCard: {
        ...cardFields(card, brand),
        ...(ON_FILE_BRANDS.has(brand) && onFileFields(initiation)),
      },
    },
  };
}

/**
 * "Zero Auth", of an open card.
 *
 * @throws GatewayError `unsupported` for a brand that Cielo does not verify
 */
export function verificationBody({ card, initiation }: CardVerificationRequest): object {
  const brand = BRANDS[card.brand];
  if (brand === undefined || !ON_FILE_BRANDS.has(brand))
    throw new GatewayError('unsupported', 'this gateway does not verify cards of this brand');
  return { CardType: 'CreditCard', ...cardFields(card, brand), ...onFileFields(initiation) };
}

/** "Criando uma transação com QR Code Pix". */
export function pixSale({ reference, amountCents, customer }: ChargeRequest): object {
  return {
    MerchantOrderId: orderIdOf(reference),
    Customer: customerOf(customer),
    Payment: { Type: 'Pix', Amount: amountCents },
  };
}

/** "Boleto": what the bank does not take from the company's contract with it. */
export function boletoSale(
  { reference, amountCents, customer, billingAddress, billet }: ChargeRequest,
  provider: string,
): object {
  if (billet === null) throw new GatewayError('invalid_request', 'a boleto needs a due date');
  if (billingAddress === null)
    throw new GatewayError('invalid_request', 'a boleto needs the address of the payer');
  const instructions = (billet.instructions ?? '').slice(0, MAX_INSTRUCTIONS);
  return {
    MerchantOrderId: orderIdOf(reference),
    Customer: {
      ...customerOf(customer),
      Name: customer.name.slice(0, BRADESCO.name),
      Address: addressOf(billingAddress),
    },
    Payment: {
      Type: 'Boleto',
      Provider: provider,
      Amount: amountCents,
      ExpirationDate: billet.dueAt,
      ...(instructions !== '' && { Instructions: instructions }),
    },
  };
}

function addressOf(address: GatewayAddress): object {
  const complement = (address.complementary ?? '').slice(0, BRADESCO.complement);
  return {
    Street: address.street.slice(0, BRADESCO.street),
    Number: address.number.slice(0, BRADESCO.number),
    ...(complement !== '' && { Complement: complement }),
    District: address.neighborhood.slice(0, BRADESCO.district),
    City: address.city.slice(0, BRADESCO.city),
    State: address.state,
    ZipCode: address.zip_code,
    Country: 'BRA',
  };
}

function customerOf({ name, email, document }: GatewayCustomer): object {
  return {
    Name: name.slice(0, MAX_NAME),
    ...(document !== null && {
      Identity: document,
      IdentityType: document.length === 11 ? 'CPF' : 'CNPJ',
    }),
    Email: email.slice(0, MAX_EMAIL),
  };
}

function cardFields(
  { number, cvv, holderName, expireMonth, expireYear }: GatewayCard,
  brand: string,
): object {
  return {
    CardNumber: number,
    Holder: plain(holderName, /[^A-Za-z ]/g).slice(0, MAX_HOLDER),
    ExpirationDate: `${String(expireMonth).padStart(2, '0')}/${expireYear}`,
    ...(cvv !== null && { SecurityCode: cvv }),
    SaveCard: false,
    Brand: brand,
  };
}

/** "Como melhorar a performance de aprovação": `Recurrent` of a series, and the network's id of its first charge. */
function initiationFields(initiation: ChargeInitiation, brand: string): object {
  const { reason } = initiation;
  const isSeries = reason === 'first_recurring' || reason === 'recurring';
  const networkId =
    initiation.initiator === 'merchant' ? (initiation.networkIds?.transactionId ?? null) : null;
  return {
    Recurrent: isSeries,
    ...(networkId !== null && ON_FILE_BRANDS.has(brand) && { IssuerTransactionId: networkId }),
    ...(brand === 'Master' &&
      reason !== 'one_off' && { InitiatedTransactionIndicator: indicatorOf(initiation) }),
  };
}

/** "Indicador de início da transação Mastercard". */
function indicatorOf({ initiator, reason }: ChargeInitiation): object {
  const isSeries = reason === 'first_recurring' || reason === 'recurring';
  return {
    Category: initiator === 'customer' ? 'C1' : 'M1',
    Subcategory: isSeries ? 'Subscription' : 'CredentialsOnFile',
  };
}

/** "Card On File". Not for a card that is not kept. */
function onFileFields({ reason }: ChargeInitiation): object {
  if (reason === 'one_off') return {};
  const isFirst = reason === 'first_saved' || reason === 'first_recurring';
  const isSeries = reason === 'first_recurring' || reason === 'recurring';
  return {
    CardOnFile: { Usage: isFirst ? 'First' : 'Used', Reason: isSeries ? 'Recurring' : 'Unscheduled' },
  };
}

/** Without accents, and without the characters that Cielo refuses. */
function plain(text: string, refused: RegExp): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(refused, '').trim();
}
