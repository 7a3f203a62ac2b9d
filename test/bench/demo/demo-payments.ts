import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Behavior } from '../../../src/simulator/scripts';
import { APPROVED_CARD } from '../support/payment-bodies';

/** One kind of payment in the demo, and how often it is made. */
export interface DemoKind {
  readonly title: string;
  readonly times: number;
  readonly cardNumber: string;
  readonly gatewayFirstTry?: GatewaySlug;
  /** How the simulator's gateways are told to behave towards each of these payments. */
  readonly scripts: readonly { readonly gateway: GatewaySlug; readonly behavior: Behavior }[];
}

const ISSUER_UNREACHABLE: Behavior = { decline: '91' };

/**
 * 200 payments: every test card of the simulator, and gateways that fail over. Technical trouble stays below the five
 * failures in 30 s that open a gateway's circuit, so that all of it is seen.
 */
export const DEMO_KINDS: readonly DemoKind[] = [
  plain('visa', 60, APPROVED_CARD),
  plain('mastercard', 38, '5555555555554444'),
  plain('visa, another', 20, '4000000000000010'),
  plain('not authorized (05)', 10, '4000000000000002'),
  plain('insufficient funds (51)', 10, '4000000000009995'),
  plain('lost card (41)', 10, '4000000000009987'),
  plain('stolen card (43)', 10, '4000000000009979'),
  {
    ...plain('gateway_1 reaches no issuer', 24, APPROVED_CARD),
    scripts: [{ gateway: 'gateway_1', behavior: ISSUER_UNREACHABLE }],
  },
  {
    ...plain('nor does gateway_2', 14, APPROVED_CARD),
    scripts: [
      { gateway: 'gateway_1', behavior: ISSUER_UNREACHABLE },
      { gateway: 'gateway_2', behavior: ISSUER_UNREACHABLE },
    ],
  },
  {
    ...plain('charged, answer lost', 2, APPROVED_CARD),
    scripts: [{ gateway: 'gateway_1', behavior: { drop: 'after' } }],
  },
  // At gateways that can tell whether a charge arrived: elsewhere only a person could.
  { ...plain('outage', 2, '4000000000000119'), gatewayFirstTry: 'gateway_5' },
];

function plain(title: string, times: number, cardNumber: string): DemoKind {
  return { title, times, cardNumber, scripts: [] };
}

/** All payments of the demo, the kinds mixed evenly: the next one is of the kind that is furthest behind. */
export function mixKinds(kinds: readonly DemoKind[]): DemoKind[] {
  const due = kinds.flatMap((kind) =>
    Array.from({ length: kind.times }, (_, index) => ({ kind, at: (index + 0.5) / kind.times })),
  );
  return due.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}
