/**
 * The one family of exceptions a driver may throw. What each means for the payment:
 *
 * | family | when | another gateway? |
 * |---|---|---|
 * | not_sent | DNS, connection refused, TLS or connect timeout, too late to send: no request byte left | yes |
 * | rate_limited | 429 | yes |
 * | bad_credentials | 401, 403, account disabled | yes; the circuit opens |
 * | unsupported | capability mismatch | yes |
 * | invalid_request | 400, 422 | no |
 * | ambiguous | reset or timeout after bytes went out, 5xx, in-progress 409, unreadable 2xx | never, until absence is proven |
 */
export type GatewayErrorFamily =
  'not_sent' | 'rate_limited' | 'bad_credentials' | 'unsupported' | 'invalid_request' | 'ambiguous';

/** The code of a `not_sent` that was our own doing (too slow, not prepared): the gateway is well, and may be tried again. */
export const NOT_SENT_LOCALLY = 'never_left';

export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly family: GatewayErrorFamily,
    /** Public text: no card data, no credentials, no personal data. */
    message: string,
    /** The vendor's own code or the HTTP status, when there is one. */
    readonly code: string | null = null,
  ) {
    super(message);
  }
}
