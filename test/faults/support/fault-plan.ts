import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import type { Behavior } from '../../../src/simulator/scripts';
import { anyForeignPage } from '../../support/fixtures/foreign-pages';
import { lostAnswers } from '../../support/fixtures/lost-answers';
import { routePlans, type RoutePlan } from '../../support/subscriptions/route-plan';
import type { FaultProcessName } from './stack-messages';

/** The processes that are killed or frozen together. */
export const FAULT_TARGETS = ['api', 'workers', 'one worker', 'simulator', 'temporal', 'postgres'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

export type PlannedFault =
  | { readonly kind: 'kill'; readonly target: FaultTarget }
  | { readonly kind: 'freeze'; readonly target: FaultTarget; readonly forMs: number }
  | {
      readonly kind: 'failpoint';
      readonly name: FailpointName;
      readonly action: 'kill' | 'stop';
      readonly forMs: number;
    };

export interface PlannedPayment {
  /** The index of a merchant in `routes`; undefined for the merchant that uses the platform's gateways. */
  readonly route: number | undefined;
  readonly capture: boolean;
  readonly behavior: Behavior | null;
  readonly afterMs: number;
}

/** A stream of payments with one fault. */
export interface FaultPhase {
  readonly payments: readonly PlannedPayment[];
  readonly fault: PlannedFault;
  readonly faultAfterMs: number;
}

export interface RoundPlan {
  /** The gateways of each merchant, in routing order. */
  readonly routes: ReadonlyArray<readonly GatewaySlug[]>;
  readonly phases: readonly FaultPhase[];
  /** Two subscriptions that run meanwhile. */
  readonly subscriptions: RoutePlan;
  /** How long one worker is frozen meanwhile, in ms; null if it is not. */
  readonly frozenWorkerMs: number | null;
}

const LONG_PHASE = { payments: 12, withinMs: 2_500 } as const;
const SHORT_PHASE = { payments: 6, withinMs: 1_200 } as const;
const ROUTES = 3;
const OWN_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_5'] as const;
const FAILPOINTS: readonly FailpointName[] = [
  'payment-committed',
  'first-attempt-started',
  'attempt-claimed',
  'charge-prepared',
  'gateway-answered',
  'outcome-committed',
  'answer-committed',
  'answer-ready',
];
const GATEWAY_BEHAVIORS: readonly Behavior[] = [
  ...lostAnswers(900),
  { delay_ms: 1_900 },
  { status: 503 },
  { status: 429 },
  { decline: '05' },
  { decline: '51' },
  { decline: '91' },
];

const behavior: fc.Arbitrary<Behavior | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.constantFrom(...GATEWAY_BEHAVIORS) },
  { weight: 1, arbitrary: anyForeignPage },
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

const FREEZE_MS = { min: 300, max: 9_000 };
/**
 * Longer than every timeout after which Temporal gives the tasks of a worker to another one: 5 s without a heartbeat, 10 s
 * for a workflow task, 14 s for a webhook delivery, 15 s for a step of a subscription.
 */
const LONG_FREEZE_MS = { min: 16_000, max: 26_000 };

const longFreeze = fc.integer(LONG_FREEZE_MS);

/** A process that is killed or frozen at an arbitrary moment. */
export const processFaults = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...FAULT_TARGETS).map((target) => ({ kind: 'kill' as const, target })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      target: fc.constantFrom(...FAULT_TARGETS),
      forMs: fc.integer(FREEZE_MS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('freeze' as const),
      target: fc.constant('one worker' as const),
      forMs: longFreeze,
    }),
  },
);

const anyFault: fc.Arbitrary<PlannedFault> = fc.oneof(
  { weight: 4, arbitrary: processFaults },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('failpoint' as const),
      name: fc.constantFrom(...FAILPOINTS),
      action: fc.constantFrom('kill' as const, 'stop' as const),
      forMs: fc.integer(FREEZE_MS),
    }),
  },
);

const phase = (
  fault: fc.Arbitrary<PlannedFault>,
  { payments, withinMs }: { readonly payments: number; readonly withinMs: number },
): fc.Arbitrary<FaultPhase> =>
  fc.record({
    payments: fc.array(payment(withinMs), { minLength: payments, maxLength: payments }),
    fault,
    faultAfterMs: fc.integer({ min: 200, max: withinMs - 500 }),
  });

const routes = fc.array(fc.shuffledSubarray([...OWN_GATEWAYS], { minLength: 1, maxLength: 3 }), {
  minLength: ROUTES,
  maxLength: ROUTES,
});

/** A round of one or two phases with any faults. The same seed gives the same plan. */
export function planRound(seed: number): RoundPlan {
  const phases = fc.array(phase(anyFault, LONG_PHASE), { minLength: 1, maxLength: 2 });
  const frozenWorkerMs = fc.oneof(fc.constant(null), fc.constant(null), longFreeze);
  return draw(seed, fc.record({ routes, phases, subscriptions: routePlans, frozenWorkerMs }));
}

/** A round with one short phase for each of these faults, and a frozen worker. Everything else depends on the seed. */
export function planFaults(seed: number, faults: readonly PlannedFault[]): RoundPlan {
  const phases = fc.tuple(...faults.map((fault) => phase(fc.constant(fault), SHORT_PHASE)));
  const frozenWorkerMs = fc.constant(LONG_FREEZE_MS.min);
  return draw(seed, fc.record({ routes, phases, subscriptions: routePlans, frozenWorkerMs }));
}

export function processesOf(target: FaultTarget): FaultProcessName[] {
  switch (target) {
    case 'workers':
      return ['worker', 'worker-2'];
    case 'one worker':
      return ['worker'];
    case 'api':
    case 'simulator':
    case 'temporal':
    case 'postgres':
      return [target];
  }
}

function draw<T>(seed: number, arbitrary: fc.Arbitrary<T>): T {
  const [drawn] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('fast-check generated no sample');
  return drawn;
}
