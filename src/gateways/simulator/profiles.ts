import type { DisputeRequestKind } from '../../domain/disputes/dispute-request';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { IdempotencySupport } from '../../domain/routing/routing';

/** How long a gateway that replays idempotency keys remembers a key, in ms. */
export const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1000;

/** The slugs cover every kind of idempotency support that real gateways have. */
const IDEMPOTENCY: Readonly<Record<GatewaySlug, IdempotencySupport>> = {
  gateway_1: 'both',
  gateway_2: 'lookup',
  gateway_3: 'none',
  gateway_4: 'both',
  gateway_5: 'both',
  gateway_6: 'replay',
  gateway_7: 'both',
};

export function idempotencySupport(slug: GatewaySlug): IdempotencySupport {
  return IDEMPOTENCY[slug];
}

export function replaysKeys(slug: GatewaySlug): boolean {
  return IDEMPOTENCY[slug] === 'both' || IDEMPOTENCY[slug] === 'replay';
}

/** Whether charges can be looked up by our reference. Every gateway finds a charge by its own id. */
export function supportsLookup(slug: GatewaySlug): boolean {
  return IDEMPOTENCY[slug] === 'both' || IDEMPOTENCY[slug] === 'lookup';
}

/** Whether cards are verified by an authorization of zero. */
export function verifiesCards(slug: GatewaySlug): boolean {
  return slug !== 'gateway_5';
}

/** What a company can answer to disputes. Some real gateways let a company do so on their own pages only. */
export function disputeAnswers(slug: GatewaySlug): readonly DisputeRequestKind[] {
  if (slug === 'gateway_2') return [];
  return slug === 'gateway_3' ? ['accept'] : ['accept', 'evidence'];
}

/** Whether statements can be fetched. Companies download those of some real gateways by hand. */
export function providesStatements(slug: GatewaySlug): boolean {
  return slug !== 'gateway_3';
}
