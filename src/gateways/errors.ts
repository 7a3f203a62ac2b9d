import type { AccountFeature } from '../domain/routing/learned-limits';
import type { GatewayErrorFamily } from '../domain/payments/gateway-error-family';

/** The code of a `not_sent` error with a local cause (too slow, not prepared). The gateway is healthy and may be retried. */
export const NOT_SENT_LOCALLY = 'not_sent_locally';

/**
 * The code of an `unsupported` error: the gateway no longer knows the token that it gave for the card. The token is forgotten, and another
 * gateway is tried.
 */
export const CARD_TOKEN_REFUSED = 'card_token_refused';

/** Drivers throw no other exception. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly family: GatewayErrorFamily,
    /** Shown to clients: no card data, no credentials, no personal data. */
    message: string,
    /** The gateway's error code, else the HTTP status; null without an answer. */
    readonly code: string | null = null,
    /** With the family `unsupported`: what the gateway says that the account lacks; `message` has its words. */
    readonly lacks: AccountFeature | null = null,
  ) {
    super(message);
  }
}
