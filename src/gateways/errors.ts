import type { AccountFeature } from '../domain/routing/learned-limits';
import type { GatewayErrorFamily } from '../domain/payments/gateway-error-family';

/** The code of a `not_sent` error with a local cause (too slow, not prepared). The gateway is healthy and may be retried. */
export const NOT_SENT_LOCALLY = 'not_sent_locally';

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
