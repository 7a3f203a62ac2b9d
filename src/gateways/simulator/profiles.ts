import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { IdempotencySupport } from '../../domain/routing/routing';

/** How long a gateway that replays keys remembers one, in ms. */
export const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1000;

/** Every way a real gateway helps, or fails to help, to learn a lost outcome is here under some slug. */
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

/** Whether a charge can be found by our reference; by the gateway's own id it can be found everywhere. */
export function looksUp(slug: GatewaySlug): boolean {
  return IDEMPOTENCY[slug] === 'both' || IDEMPOTENCY[slug] === 'lookup';
}
