import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Behavior } from '../../../src/simulator/scripts';
import { APPROVED_CARD } from '../support/payment-bodies';

/** One kind of payment in the demo. */
export interface DemoKind {
  readonly title: string;
  readonly count: number;
  readonly cardNumber: string;
  readonly gatewayFirstTry?: GatewaySlug;
  /** How the simulator's gateways behave towards each of these payments. */
  readonly scripts: readonly { readonly gateway: GatewaySlug; readonly behavior: Behavior }[];
}

const ISSUER_UNREACHABLE: Behavior = { decline: '91' };

/**
 * 200 payments: every test card of the simulator, and failover between gateways. Technical failures stay below the five
 * within 30 s that open a gateway's circuit.
 */
export const DEMO_KINDS: readonly DemoKind[] = [
  plain('visa', 60, APPROVED_CARD),
  plain('mastercard', 38, '5555555555554444'),
  plain('visa, another card', 20, '4000000000000010'),
  plain('not authorized (05)', 10, '4000000000000002'),
  plain('insufficient funds (51)', 10, '4000000000009995'),
  plain('lost card (41)', 10, '4000000000009987'),
  plain('stolen card (43)', 10, '4000000000009979'),
  {
    ...plain('gateway_1: issuer unavailable (91)', 24, APPROVED_CARD),
    scripts: [{ gateway: 'gateway_1', behavior: ISSUER_UNREACHABLE }],
  },
  {
    ...plain('gateway_1 and 2: issuer unavailable', 14, APPROVED_CARD),
    scripts: [
      { gateway: 'gateway_1', behavior: ISSUER_UNREACHABLE },
      { gateway: 'gateway_2', behavior: ISSUER_UNREACHABLE },
    ],
  },
  {
    ...plain('charged, response lost', 2, APPROVED_CARD),
    scripts: [{ gateway: 'gateway_1', behavior: { drop: 'after' } }],
  },
  // At gateways that support lookup: at others it would need a manual review.
  { ...plain('gateway outage', 2, '4000000000000119'), gatewayFirstTry: 'gateway_5' },
];

function plain(title: string, count: number, cardNumber: string): DemoKind {
  return { title, count, cardNumber, scripts: [] };
}

/** All payments of the demo, with the kinds mixed evenly. */
export function mixKinds(kinds: readonly DemoKind[]): DemoKind[] {
  const positioned = kinds.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, index) => ({ kind, at: (index + 0.5) / kind.count })),
  );
  return positioned.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}
