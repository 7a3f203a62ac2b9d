import { CARD_TOKEN_REFUSED, GatewayError } from '../errors';
import type { ChargeRequest } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { ownErrors } from './errors';
import type { AsaasPayment } from './wire';

/** A token pays only for the customer with whose payment it came: https://docs.asaas.com/reference/credit-card-tokenization */
export interface CardToken {
  readonly customer: string;
  readonly token: string;
}

const SEPARATOR = ':';

/** What the driver needs to charge the card of this payment again; undefined if Asaas shows no token. */
export function gatewayTokenOf({ customer, creditCard }: AsaasPayment): string | undefined {
  const token = creditCard?.creditCardToken ?? null;
  return customer === null || token === null ? undefined : `${customer}${SEPARATOR}${token}`;
}

/** The token by which the request's card is charged; null if the card's own data is at hand, or there is no token. */
export function cardTokenOf({ card }: Pick<ChargeRequest, 'card'>): CardToken | null {
  if (card === null || card.cvv !== null || card.gatewayToken === undefined) return null;
  const [customer = '', ...token] = card.gatewayToken.split(SEPARATOR);
  return { customer, token: token.join(SEPARATOR) };
}

/**
 * Throws if Asaas refused the token or its customer, which are removed or another account's. Recorded 2026-07-14: `invalid_creditCard`,
 * with words that repeat the token, so they are not shown.
 *
 * @throws GatewayError `unsupported`
 */
export function requireKnownToken(response: GatewayHttpResponse): void {
  const isRefused = (ownErrors(response) ?? []).some(
    ({ code, description }) =>
      code === 'invalid_customer' || (code === 'invalid_creditCard' && /creditCardToken/i.test(description)),
  );
  if (response.status === 400 && isRefused)
    throw new GatewayError('unsupported', 'Asaas no longer knows the token of this card', CARD_TOKEN_REFUSED);
}
