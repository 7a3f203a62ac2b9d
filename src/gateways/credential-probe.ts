import type { CredentialValues } from '../domain/routing/credential-fields';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { GatewayError } from './errors';
import type { GatewayContext, InquirySubject } from './gateway';
import type { GatewayHttp } from './http';
import { newGatewayContext } from './new-gateway-context';
import type { GatewayRegistry } from './registry';

/** Credentials that are not stored yet. */
export interface NewCredentials extends CredentialValues {
  readonly slug: GatewaySlug;
  readonly clientId: string | null;
}

/** `unknown`: the gateway was not reached, or cannot be asked. */
export type CredentialCheck = 'accepted' | 'refused' | 'unknown';

/** Asks gateways about credentials before they are saved. Its requests move no money. */
export class CredentialProbe {
  constructor(
    readonly registry: GatewayRegistry,
    readonly http: GatewayHttp,
    private readonly timeoutMs: number,
  ) {}

  /** Whether the gateway accepts the credentials. */
  async verify(credentials: NewCredentials): Promise<CredentialCheck> {
    const driver = this.registry.driver(credentials.slug);
    if (driver.verifyCredentials === undefined) return 'unknown';
    try {
      await driver.verifyCredentials(this.context(credentials));
      return 'accepted';
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return error.family === 'bad_credentials' ? 'refused' : 'unknown';
    }
  }

  /** Whether the gateway shows a charge with these credentials. Null if it does not say. */
  async sees(credentials: NewCredentials, charge: InquirySubject): Promise<boolean | null> {
    const result = await this.registry.driver(credentials.slug).inquire(this.context(credentials), charge);
    return result.kind === 'inconclusive' ? null : result.kind === 'found';
  }

  private context({ slug, secretKey, clientId, credentials }: NewCredentials): GatewayContext {
    return newGatewayContext(this, {
      slug,
      values: { secretKey, credentials },
      clientId,
      // Neither request changes anything at the gateway.
      idempotencyKey: '',
      sendBefore: Infinity,
      timeoutMs: this.timeoutMs,
    });
  }
}
