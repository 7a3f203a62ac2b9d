import { randomBytes } from 'node:crypto';
import luhn from 'card-validator/dist/luhn-10';
import cardType from 'credit-card-type';
import { z } from 'zod';
import type { SimulatorResponse } from '../../replies';
import { instant, NO_PAYMENT, type MercadoPagoEndpoint, type MercadoPagoObject, reply } from './endpoint';
import { badRequest, errorOf } from './errors';
import { invalidBody } from './parameters';

const twoOrFourDigits = z.union([z.int(), z.string().regex(/^\d{1,4}$/)]).transform(Number);

/** https://www.mercadopago.com.br/developers/en/reference/card_tokens and the mocks of mercadopago/sdk-python. */
const tokenBody = z.strictObject({
  card_number: z.string(),
  expiration_month: twoOrFourDigits,
  expiration_year: twoOrFourDigits,
  security_code: z.string().nullish(),
  cardholder: z.strictObject({
    name: z.string().min(1),
    identification: z.strictObject({ type: z.string(), number: z.string() }).nullish(),
  }),
  /** Of MercadoPago.js. */
  device: z.unknown().optional(),
  site_id: z.string().nullish(),
  require_esc: z.boolean().nullish(),
});

export interface TokenizedCard {
  readonly number: string;
  readonly securityCode: string | null;
  readonly month: number;
  readonly year: number;
  readonly holderName: string;
  /** Mercado Pago's name of the network. */
  readonly paymentMethodId: string;
}

interface StoredToken {
  readonly id: string;
  readonly card: TokenizedCard;
  readonly at: Date;
  isUsed: boolean;
}

const MAX_STORED = 10_000;
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Card tokens for one payment each, for 7 days. They hold card numbers, so they stay in memory and end with the process. */
export class CardTokens {
  private readonly tokens = new Map<string, StoredToken>();

  /** `POST /v1/card_tokens`. It moves no money, so no script applies. */
  create(body: unknown): MercadoPagoEndpoint {
    return {
      summary: NO_PAYMENT,
      isPublic: true,
      check: () => {
        const card = readCard(body);
        if ('status' in card) return card;
        return reply(() => ({ status: 201, body: tokenObject(this.store(card)) }));
      },
    };
  }

  /** `GET /v1/card_tokens/{id}` */
  show(id: string): MercadoPagoEndpoint {
    return {
      summary: NO_PAYMENT,
      isPublic: true,
      check: () =>
        reply(() => {
          const token = this.tokens.get(id);
          return token === undefined
            ? errorOf(404, { code: 'not_found', description: 'Card token not found' })
            : { status: 200, body: tokenObject(token) };
        }),
    };
  }

  /** The card of a token that can pay. */
  find(id: string): TokenizedCard | SimulatorResponse {
    const token = this.tokens.get(id);
    // https://www.mercadopago.com.br/developers/en/reference/payments/_payments/post, 2006 and 2062.
    if (token === undefined || token.at.getTime() + LIFETIME_MS < Date.now())
      return badRequest(2006, 'Card Token not found');
    return token.isUsed ? badRequest(2062, 'Invalid card token') : token.card;
  }

  /** A token pays once, whatever becomes of the payment. */
  use(id: string): void {
    const token = this.tokens.get(id);
    if (token !== undefined) token.isUsed = true;
  }

  private store(card: TokenizedCard): StoredToken {
    const token = { id: randomBytes(16).toString('hex'), card, at: new Date(), isUsed: false };
    this.tokens.set(token.id, token);
    const [oldest] = this.tokens.keys();
    if (this.tokens.size > MAX_STORED && oldest !== undefined) this.tokens.delete(oldest);
    return token;
  }
}

/** Codes: https://www.mercadopago.com.br/developers/en/docs/checkout-api/response-handling/integration-errors */
function readCard(body: unknown): TokenizedCard | SimulatorResponse {
  const parsed = tokenBody.safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  const { card_number: number, expiration_month: month, expiration_year, cardholder } = parsed.data;
  const { security_code: securityCode = null } = parsed.data;
  if (!/^\d{13,19}$/.test(number) || !luhn(number)) return badRequest('E301', 'Invalid card number');
  if (securityCode !== null && !/^\d{3,4}$/.test(securityCode))
    return badRequest('E302', 'Invalid security code');
  if (month < 1 || month > 12) return badRequest('325', 'Invalid parameter cardExpirationMonth');
  const year = expiration_year < 100 ? 2000 + expiration_year : expiration_year;
  if (Date.UTC(year, month, 1) <= Date.now())
    return badRequest('326', 'Invalid parameter cardExpirationYear');
  return {
    number,
    securityCode,
    month,
    year,
    holderName: cardholder.name,
    paymentMethodId: networkOf(number),
  };
}

/** `GET /v1/payment_methods` names the networks in Brazil visa, master, elo, amex and hipercard. */
function networkOf(number: string): string {
  const [type] = cardType(number);
  switch (type?.type) {
    case 'mastercard':
      return 'master';
    case 'american-express':
      return 'amex';
    case 'hipercard':
    case 'hiper':
      return 'hipercard';
    default:
      return type?.type ?? 'visa';
  }
}

/** Mock `card_token_get` of mercadopago/sdk-php. */
function tokenObject({ id, card, at, isUsed }: StoredToken): MercadoPagoObject {
  return {
    id,
    card_id: null,
    first_six_digits: card.number.slice(0, 6),
    last_four_digits: card.number.slice(-4),
    expiration_month: card.month,
    expiration_year: card.year,
    cardholder: { identification: {}, name: card.holderName },
    status: isUsed ? 'used' : 'active',
    date_created: instant(at),
    date_last_updated: instant(at),
    date_due: instant(new Date(at.getTime() + LIFETIME_MS)),
    luhn_validation: true,
    live_mode: false,
    require_esc: false,
    card_number_length: card.number.length,
    security_code_length: card.securityCode?.length ?? 0,
  };
}
