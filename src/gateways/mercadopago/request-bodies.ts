import { assertNever } from '../../domain/shared/assert-never';
import type { ChargeInitiation, NetworkIds } from '../../domain/shared/charge-initiation';
import { brazilianPhone } from '../../domain/customers/phone';
import { GatewayError } from '../errors';
import type {
  CardVerificationRequest,
  ChargeRequest,
  GatewayAddress,
  GatewayCard,
  GatewayContext,
  GatewayCustomer,
} from '../gateway';
import { requiredDocument } from '../customers/required-document';
import type { PurchaseData } from '../purchase-data';
import { amountNumber } from './money';
import { applicationFee } from './sellers';

/** `POST /v1/payments`: statement_descriptor, https://github.com/mercadopago/openapi (PaymentRequest). */
const MAX_DESCRIPTOR = 22;
/** Of an expiry: https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/integration-configuration/integrate-pix */
const MIN_PIX_MS = 30 * 60 * 1000;

/** https://www.mercadopago.com.br/developers/en/docs/sales-processing/payment-methods (Brazil), by our names for brands. */
const METHOD_OF_BRAND: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'master',
  elo: 'elo',
  amex: 'amex',
  hipercard: 'hipercard',
};

/** `POST /v1/card_tokens`: sdk-nodejs 3.6.1, CardTokenCreateBody, and CardTokenRequest of the OpenAPI document. */
export function tokenBody(card: GatewayCard, customer: GatewayCustomer): object {
  return {
    card_number: card.number,
    expiration_month: card.expireMonth,
    expiration_year: card.expireYear,
    security_code: card.cvv ?? undefined,
    cardholder: { name: card.holderName, identification: identificationOf(customer) },
  };
}

/** `POST /v1/payments` with a token. */
export function cardPaymentBody(
  ctx: GatewayContext,
  request: ChargeRequest,
  token: string,
  capture: boolean,
): object {
  return {
    ...commonBody(ctx, request),
    token,
    installments: request.installments,
    // Without one Mercado Pago infers it from the card.
    payment_method_id: METHOD_OF_BRAND[request.card?.brand ?? ''],
    capture,
    // Approved or rejected at once: nobody waits for a manual review.
    binary_mode: true,
    // Nobody could answer a challenge: docs/decisions/no-3ds.md.
    three_d_secure_mode: 'not_supported',
    statement_descriptor: descriptorOf(request.softDescriptor),
    payer: payerOf(request.customer, null),
    ...initiationOf(request.initiation),
  };
}

/** https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/integration */
export function verificationBody(
  { reference, currency, customer, card }: CardVerificationRequest,
  token: string,
): object {
  return {
    token,
    payment_method_id: METHOD_OF_BRAND[card.brand],
    payer: { email: customer.email, type: 'guest' },
    description: 'card validation',
    external_reference: reference,
    transaction_amount: amountNumber(0, currency),
  };
}

/** https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/integration-configuration/integrate-pix */
export function pixBody(ctx: GatewayContext, request: ChargeRequest, now: Date): object {
  const { pix, customer } = request;
  if (pix === null) throw new GatewayError('invalid_request', 'a pix needs an expiry');
  const expiresAt = new Date(pix.expiresAt);
  // After other gateways have been tried, less may be left of it.
  if (expiresAt.getTime() - now.getTime() < MIN_PIX_MS)
    throw new GatewayError('unsupported', 'this gateway lets a pix expire after 30 minutes at least');
  return {
    ...commonBody(ctx, request),
    payment_method_id: 'pix',
    // `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, with an offset in digits.
    date_of_expiration: expiresAt.toISOString().replace('Z', '+00:00'),
    payer: payerOf(customer, null),
  };
}

/**
 * https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/integration-configuration/other-payment-methods
 *
 * @throws GatewayError `unsupported` without an address
 */
export function boletoBody(ctx: GatewayContext, request: ChargeRequest): object {
  const { billet, billingAddress, customer } = request;
  if (billet === null || billingAddress === null)
    throw new GatewayError('unsupported', 'this gateway needs a billing address for a boleto');
  return {
    ...commonBody(ctx, request),
    payment_method_id: 'bolbradesco',
    // Brasília has no summer time.
    date_of_expiration: `${billet.dueAt}T23:59:59.000-03:00`,
    payer: payerOf(customer, billingAddress),
  };
}

function commonBody(
  ctx: GatewayContext,
  { reference, amountCents, currency, purchase }: ChargeRequest,
): object {
  const fee = applicationFee(ctx, amountCents);
  return {
    transaction_amount: amountNumber(amountCents, currency),
    ...(fee !== null && { application_fee: amountNumber(fee, currency) }),
    external_reference: reference,
    description: purchase.description,
    additional_info: additionalInfo(purchase, currency),
  };
}

/** For the risk analysis: sdk-nodejs 3.6.1, AdditionalInfo. */
function additionalInfo({ payerIp, payerPhone, items }: PurchaseData, currency: string): object {
  const phone = payerPhone === null ? null : brazilianPhone(payerPhone);
  return {
    ...(payerIp !== null && { ip_address: payerIp }),
    ...(phone !== null && { payer: { phone: { area_code: phone.areaCode, number: phone.number } } }),
    ...(items.length > 0 && {
      items: items.map(({ name, quantity, unitCents }, index) => ({
        id: String(index + 1),
        title: name,
        quantity,
        unit_price: amountNumber(unitCents, currency),
      })),
    }),
  };
}

function payerOf(customer: GatewayCustomer, address: GatewayAddress | null): object {
  const { name, email } = customer;
  const [first = '', ...others] = name.trim().split(/\s+/);
  return {
    email,
    first_name: first,
    // A boleto needs both names.
    last_name: others.length === 0 ? first : others.join(' '),
    identification: identificationOf(customer),
    ...(address !== null && { address: addressOf(address) }),
  };
}

function identificationOf(customer: GatewayCustomer): object {
  const document = requiredDocument(customer);
  return { type: document.length === 11 ? 'CPF' : 'CNPJ', number: document };
}

function addressOf(address: GatewayAddress): object {
  return {
    zip_code: address.zip_code,
    street_name: address.street,
    street_number: address.number,
    neighborhood: address.neighborhood,
    city: address.city,
    federal_unit: address.state,
  };
}

/** Latin letters, digits and spaces; undefined if nothing is left. */
function descriptorOf(softDescriptor: string | null): string | undefined {
  const plain = (softDescriptor ?? '').normalize('NFD').replace(/[^A-Za-z0-9 .*-]/g, '');
  return plain.trim().slice(0, MAX_DESCRIPTOR).trim() || undefined;
}

/**
 * `CREDENTIAL_ON_FILE` of sdk-nodejs 3.6.1, which tells who initiates and whether the card is saved by this payment or was saved
 * before. It has no words for a schedule; `SUBSCRIPTIONS` needs the ids of a subscription at Mercado Pago.
 */
function initiationOf(initiation: ChargeInitiation): object {
  switch (initiation.reason) {
    case 'one_off':
      return {};
    case 'first_saved':
    case 'first_recurring':
      return credentialOnFile({
        first_transaction: true,
        transaction_initiator: 'customer',
        storage: 'store',
      });
    case 'saved_card':
      return credentialOnFile({ transaction_initiator: 'customer', storage: 'stored' });
    case 'recurring':
    case 'unscheduled':
      return merchantInitiated(initiation.networkIds);
    default:
      return assertNever(initiation);
  }
}

/** Elo's own reference has no field. */
function merchantInitiated(networkIds: NetworkIds | null): object {
  const { transactionId = null, transactionLinkId = null } = networkIds ?? {};
  const networkData = {
    ...(transactionId !== null && { transaction_id: transactionId }),
    ...(transactionLinkId !== null && { transaction_link_id: transactionLinkId }),
  };
  return {
    ...credentialOnFile({
      transaction_initiator: 'merchant',
      storage: 'stored',
      ...(Object.keys(networkData).length > 0 && { network_data: networkData }),
    }),
    ...(transactionId !== null && {
      forward_data: { network_transaction_data: { network_transaction_id: transactionId } },
    }),
  };
}

function credentialOnFile(transactionData: object): object {
  return { point_of_interaction: { type: 'CREDENTIAL_ON_FILE', transaction_data: transactionData } };
}
