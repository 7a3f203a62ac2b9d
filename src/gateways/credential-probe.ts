import type { CredentialValues } from '../domain/routing/credential-fields';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { GatewayError } from './errors';
import type { GatewayContext, InquirySubject } from './gateway';
import type { GatewayHttp } from './http';
import { newGatewayContext } from './new-gateway-context';
import type { GatewayRegistries } from './modes/registries';
import type { UnrecognizedAnswers } from './unrecognized/answer-buffer';

/** Credentials that are not stored yet. */
export interface NewCredentials extends CredentialValues {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  readonly clientId: string | null;
}

/** `unknown`: the gateway was not reached, or cannot be asked. */
export type CredentialCheck = 'accepted' | 'refused' | 'unknown';

/** Asks gateways about credentials before they are saved. Its requests move no money. */
export class CredentialProbe {
  constructor(
    readonly registries: GatewayRegistries,
    readonly http: GatewayHttp,
    readonly unrecognizedAnswers: UnrecognizedAnswers,
    private readonly timeoutMs: number,
  ) {}

  /** Whether the gateway accepts the credentials. */
  async verify(credentials: NewCredentials): Promise<CredentialCheck> {
    const driver = this.registries.of(credentials.companyId).driver(credentials.slug);
    if (driver.verifyCredentials === undefined) return 'unknown';
    try {
      await driver.verifyCredentials(this.context(credentials, 'verify_credentials'));
      return 'accepted';
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return error.family === 'bad_credentials' ? 'refused' : 'unknown';
    }
  }

  /** Whether the gateway shows a charge with these credentials. Null if it does not say. */
  async sees(credentials: NewCredentials, charge: InquirySubject): Promise<boolean | null> {
    const driver = this.registries.of(credentials.companyId).driver(credentials.slug);
    const result = await driver.inquire(this.context(credentials, 'inquiry'), charge);
    return result.kind === 'inconclusive' ? null : result.kind === 'found';
  }

  private context(
    { companyId, slug, secretKey, clientId, credentials }: NewCredentials,
    operation: 'verify_credentials' | 'inquiry',
  ): GatewayContext {
    return newGatewayContext(this, {
      slug,
      values: { secretKey, credentials },
      clientId,
      // Neither request changes anything at the gateway.
      idempotencyKey: '',
      sendBefore: Infinity,
      timeoutMs: this.timeoutMs,
      asked: { companyId, operation, attemptId: null },
    });
  }
}
