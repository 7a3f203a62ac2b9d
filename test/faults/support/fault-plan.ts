import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import type { Behavior } from '../../../src/simulator/scripts';
import type { ProcessName } from './stack-messages';

/** What is killed or frozen together. */
export const VICTIMS = ['api', 'workers', 'one worker', 'simulator', 'temporal', 'postgres'] as const;
export type Victim = (typeof VICTIMS)[number];

export type PlannedFault =
  | { readonly kind: 'kill'; readonly victim: Victim }
  | { readonly kind: 'freeze'; readonly victim: Victim; readonly forMs: number }
  | {
      readonly kind: 'failpoint';
      readonly name: FailpointName;
      readonly action: 'kill' | 'stop';
      readonly forMs: number;
    };

export interface PlannedPayment {
  /** Which merchant of the round; undefined for the one that may use the platform's gateways. */
  readonly route: number | undefined;
  readonly capture: boolean;
  readonly behavior: Behavior | null;
  readonly afterMs: number;
}

/** Payments under way while one thing goes wrong. */
export interface Act {
  readonly payments: readonly PlannedPayment[];
  readonly fault: PlannedFault;
  readonly faultAfterMs: number;
}

export interface Plan {
  /** The gateways of each merchant, in order. */
  readonly routes: ReadonlyArray<readonly GatewaySlug[]>;
  readonly acts: readonly Act[];
}

const LONG_ACT = { payments: 12, withinMs: 2_500 } as const;
const SHORT_ACT = { payments: 6, withinMs: 1_200 } as const;
const ROUTES = 3;
const OWN_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_5'] as const;
const FAILPOINTS: readonly FailpointName[] = [
  'payment-committed',
  'attempt-claimed',
  'charge-prepared',
  'gateway-answered',
  'outcome-committed',
  'answer-ready',
];
const TROUBLES: readonly Behavior[] = [
  { drop: 'before' },
  { drop: 'after' },
  { hang: 'before' },
  { hang: 'after' },
  { truncate: true },
  { html: 502 },
  { status: 503 },
  { status: 429 },
  { delay_ms: 900 },
  { delay_ms: 1_900 },
  { decline: '05' },
  { decline: '51' },
  { decline: '91' },
];

const behavior: fc.Arbitrary<Behavior | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(...TROUBLES) },
);

const payment = (withinMs: number): fc.Arbitrary<PlannedPayment> =>
  fc.record({
    route: fc.oneof(
      { weight: 5, arbitrary: fc.nat(ROUTES - 1) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    capture: fc.oneof(
      { weight: 4, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    behavior,
    afterMs: fc.nat(withinMs),
  });

/** A process that ends or stops at any moment. */
export const strikes = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...VICTIMS).map((victim) => ({ kind: 'kill' as const, victim })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      victim: fc.constantFrom(...VICTIMS),
      forMs: fc.integer({ min: 300, max: 9_000 }),
    }),
  },
);

const anyFault: fc.Arbitrary<PlannedFault> = fc.oneof(
  { weight: 4, arbitrary: strikes },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('failpoint' as const),
      name: fc.constantFrom(...FAILPOINTS),
      action: fc.constantFrom('kill' as const, 'stop' as const),
      forMs: fc.integer({ min: 300, max: 9_000 }),
    }),
  },
);

const act = (
  fault: fc.Arbitrary<PlannedFault>,
  { payments, withinMs }: { readonly payments: number; readonly withinMs: number },
): fc.Arbitrary<Act> =>
  fc.record({
    payments: fc.array(payment(withinMs), { minLength: payments, maxLength: payments }),
    fault,
    faultAfterMs: fc.integer({ min: 200, max: withinMs - 500 }),
  });

const routes = fc.array(fc.shuffledSubarray([...OWN_GATEWAYS], { minLength: 1, maxLength: 3 }), {
  minLength: ROUTES,
  maxLength: ROUTES,
});

/** The same plan for the same seed: one round of the long list. */
export function planRound(seed: number): Plan {
  const acts = fc.array(act(anyFault, LONG_ACT), { minLength: 1, maxLength: 2 });
  return draw(seed, fc.record({ routes, acts }));
}

/** One act for each of these faults, with everything else drawn from the seed. */
export function planAround(seed: number, faults: readonly PlannedFault[]): Plan {
  const acts = fc.tuple(...faults.map((fault) => act(fc.constant(fault), SHORT_ACT)));
  return draw(seed, fc.record({ routes, acts }));
}

export function partsOf(victim: Victim): ProcessName[] {
  switch (victim) {
    case 'workers':
      return ['worker', 'worker-2'];
    case 'one worker':
      return ['worker'];
    case 'api':
    case 'simulator':
    case 'temporal':
    case 'postgres':
      return [victim];
  }
}

function draw<T>(seed: number, arbitrary: fc.Arbitrary<T>): T {
  const [drawn] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('nothing was drawn');
  return drawn;
}
