import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { GatewayError } from './errors';
import type { GatewayAccount } from '../domain/routing/gateway-account';
import type { CardVerificationRequest, Declined, VerifiedCard } from './gateway';
import type { GatewayHttp } from './http';
import { newGatewayContext } from './new-gateway-context';
import type { GatewayRegistries } from './modes/registries';
import type { UnrecognizedAnswers } from './unrecognized/answer-buffer';

export interface VerifyingGateway extends GatewayAccount {
  readonly companyId: number;
  readonly slug: GatewaySlug;
}

/** `unknown`: sent, without a certain answer; `error`: the gateway certainly did not ask the issuer. */
export type CardCheck = VerifiedCard | Declined | { readonly kind: 'unknown' | 'error' };

/** Asks gateways about cards without money. */
export class CardVerifier {
  constructor(
    readonly registries: GatewayRegistries,
    readonly http: GatewayHttp,
    readonly unrecognizedAnswers: UnrecognizedAnswers,
    /** Of one request, in ms. */
    private readonly timeoutMs: number,
  ) {}

  async verify(
    { companyId, ...gateway }: VerifyingGateway,
    request: CardVerificationRequest,
  ): Promise<CardCheck> {
    const driver = this.registries.of(companyId).driver(gateway.slug);
    if (driver.verifyCard === undefined) return { kind: 'error' };
    const context = newGatewayContext(this, {
      ...gateway,
      idempotencyKey: request.reference,
      sendBefore: Date.now() + this.timeoutMs,
      timeoutMs: this.timeoutMs,
      asked: { companyId, operation: 'verify_card', attemptId: null },
    });
    try {
      return await driver.verifyCard(context, request);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return { kind: error.family === 'ambiguous' ? 'unknown' : 'error' };
    }
  }
}
