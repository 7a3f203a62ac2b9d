import { assertNever } from '../../domain/shared/assert-never';
import type { ChargeInitiation, NetworkIds } from '../../domain/shared/charge-initiation';
import { GatewayError } from '../errors';
import type {
  CardVerificationRequest,
  ChargeRequest,
  FollowUp,
  GatewayAddress,
  GatewayCard,
} from '../gateway';
import { adyenAmount } from './money';
import { chargeReference, operationReference, verificationReference, type ChargeKind } from './references';

/** A JSON body. What is undefined is not sent. */
export type AdyenBody = Readonly<Record<string, unknown>>;

/**
 * Adyen demands a page to return to after a redirect, for purchases without one, too. No method here redirects the customer, so it
 * is never opened; the domain is reserved for examples (RFC 2606).
 */
const NO_RETURN = 'https://example.com/';
/** https://docs.adyen.com/api-explorer/Checkout/72/post/payments: the allowed characters, and the advised length. */
const STATEMENT_CHARACTERS = /[^A-Za-z0-9 .,'_\-?+*/]/g;
const MAX_STATEMENT = 22;
const MAX_NAME = 80;
const MAX_RETURN_URL = 1_024;

/** `POST /payments` with a raw card number: https://docs.adyen.com/payment-methods/cards/raw-card-data */
export function cardBody(request: ChargeRequest, kind: ChargeKind): AdyenBody {
  const { card, installments, softDescriptor } = request;
  if (card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  const { additionalData, ...initiation } = initiationFields(request.initiation);
  const isManual = kind === 'authorization';
  return {
    ...paymentFields(request, kind),
    ...cardFields(card, request),
    ...initiation,
    additionalData: nonEmpty({ ...additionalData, ...(isManual && { manualCapture: 'true' }) }),
    // Without it, the account's own setting decides when a sale is captured.
    ...(!isManual && { captureDelayHours: 0 }),
    ...(installments > 1 && { installments: { value: installments } }),
    ...statement(softDescriptor, MAX_STATEMENT),
  };
}

/** An authorization of zero: https://docs.adyen.com/payment-methods/cards/bin-data-and-card-verification */
export function verificationBody(request: CardVerificationRequest): AdyenBody {
  const { additionalData: _, ...initiation } = initiationFields(request.initiation);
  return {
    amount: adyenAmount(0, request.currency),
    reference: verificationReference(request.reference),
    returnUrl: NO_RETURN,
    ...cardFields(request.card, request),
    ...initiation,
  };
}

/** https://docs.adyen.com/payment-methods/pix/api-only */
export function pixBody(request: ChargeRequest): AdyenBody {
  return {
    ...paymentFields(request, 'pix'),
    ...payerFields(request),
    paymentMethod: { type: 'pix' },
    sessionValidity: request.pix?.expiresAt,
  };
}

/**
 * https://docs.adyen.com/payment-methods/boleto-bancario/api-only: the payer's name, tax id and address are required.
 *
 * @throws GatewayError `unsupported` without an address
 */
export function boletoBody(request: ChargeRequest): AdyenBody {
  const { billet, billingAddress } = request;
  if (billet === null || billingAddress === null) {
    throw new GatewayError('unsupported', 'this gateway needs a billing address for a boleto');
  }
  return {
    ...paymentFields(request, 'billet'),
    ...payerFields(request),
    paymentMethod: { type: 'boletobancario' },
    billingAddress: addressOf(billingAddress),
    // The end of the day in Brasília.
    deliveryDate: `${billet.dueAt}T23:59:59-03:00`,
    ...statement(billet.instructions, 255),
  };
}

/** `POST /payments/{id}/captures` and `/refunds` */
export function amountBody({ amountCents, currency, reference }: FollowUp): AdyenBody {
  return { amount: adyenAmount(amountCents, currency), reference: operationReference(reference) };
}

/** `POST /payments/{id}/cancels` */
export function cancelBody(reference: string): AdyenBody {
  return { reference: operationReference(reference) };
}

function paymentFields(request: ChargeRequest, kind: ChargeKind): AdyenBody {
  const { returnUrl, payerIp, payerPhone } = request.purchase;
  return {
    amount: adyenAmount(request.amountCents, request.currency),
    reference: chargeReference(request.reference, kind),
    returnUrl: returnUrl !== null && returnUrl.length <= MAX_RETURN_URL ? returnUrl : NO_RETURN,
    ...(payerIp !== null && { shopperIP: payerIp }),
    ...(payerPhone !== null && { telephoneNumber: payerPhone }),
  };
}

function cardFields(
  card: GatewayCard,
  { customer, billingAddress }: Pick<ChargeRequest, 'customer' | 'billingAddress'>,
): AdyenBody {
  return {
    paymentMethod: {
      type: 'scheme',
      number: card.number,
      expiryMonth: String(card.expireMonth).padStart(2, '0'),
      expiryYear: String(card.expireYear),
      ...(card.cvv !== null && { cvc: card.cvv }),
      holderName: card.holderName,
    },
    // 3-D Secure is not used here: nobody could answer a challenge.
    authenticationData: { attemptAuthentication: 'never' },
    shopperEmail: customer.email,
    ...(billingAddress !== null && { billingAddress: addressOf(billingAddress) }),
  };
}

function payerFields({ customer }: ChargeRequest): AdyenBody {
  return {
    countryCode: 'BR',
    shopperName: nameOf(customer.name),
    shopperEmail: customer.email,
    ...(customer.document !== null && { socialSecurityNumber: customer.document }),
    shopperInteraction: 'Ecommerce',
  };
}

interface InitiationFields {
  readonly shopperInteraction: 'Ecommerce' | 'ContAuth';
  readonly recurringProcessingModel?: 'CardOnFile' | 'Subscription' | 'UnscheduledCardOnFile';
  readonly additionalData?: Readonly<Record<string, string>>;
}

/** For cards that Adyen does not store: https://docs.adyen.com/online-payments/tokenization/raw-card-data and `AdditionalDataCommon`. */
function initiationFields(initiation: ChargeInitiation): InitiationFields {
  switch (initiation.reason) {
    case 'one_off':
      return { shopperInteraction: 'Ecommerce' };
    case 'first_saved':
      return { shopperInteraction: 'Ecommerce', recurringProcessingModel: 'CardOnFile' };
    case 'first_recurring':
      return { shopperInteraction: 'Ecommerce', recurringProcessingModel: 'Subscription' };
    case 'saved_card':
      return { shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' };
    case 'recurring':
    case 'unscheduled':
      return {
        shopperInteraction: 'ContAuth',
        recurringProcessingModel:
          initiation.reason === 'recurring' ? 'Subscription' : 'UnscheduledCardOnFile',
        additionalData: networkFields(initiation.networkIds),
      };
    default:
      return assertNever(initiation);
  }
}

/** Adyen has no field for Elo's own reference. */
function networkFields(ids: NetworkIds | null): Record<string, string> {
  const { transactionId = null, transactionLinkId = null } = ids ?? {};
  return {
    ...(transactionId !== null && { networkTxReference: transactionId }),
    ...(transactionLinkId !== null && { transactionLinkId }),
  };
}

/** Both parts are required. */
export function nameOf(name: string): AdyenBody {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  const first = words.length > 1 ? words.slice(0, -1).join(' ') : last;
  return { firstName: first.slice(0, MAX_NAME), lastName: last.slice(0, MAX_NAME) };
}

function addressOf(address: GatewayAddress): AdyenBody {
  const { street, number, complementary = null, neighborhood } = address;
  return {
    street: `${street}, ${neighborhood}`,
    houseNumberOrName: complementary ? `${number}, ${complementary}` : number,
    city: address.city,
    stateOrProvince: address.state,
    postalCode: address.zip_code,
    country: address.country ?? 'BR',
  };
}

/** Nothing if no character is left that may be sent. */
function statement(text: string | null, max: number): AdyenBody {
  const plain = (text ?? '').normalize('NFD').replaceAll(STATEMENT_CHARACTERS, '').slice(0, max).trim();
  return plain === '' ? {} : { shopperStatement: plain };
}

function nonEmpty(data: Readonly<Record<string, string>>): typeof data | undefined {
  return Object.keys(data).length > 0 ? data : undefined;
}
