import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { Behavior } from '../../../src/simulator/scripts';
import { FOREIGN_PAGES } from '../fixtures/foreign-pages';
import type { PurchaseKind } from './purchase';

/** A correct callback, the same one five times, one with a wrong signature, one with wrong content, or a chargeback. */
export type CallbackStyle = 'correct' | 'repeated' | 'forged' | 'wrong' | 'chargeback';

/** One event in a payment's scenario. */
export type PaymentScenarioStep =
  /** `percent` of the amount. `concurrent`: the next step does not wait for the answer. */
  | {
      readonly kind: 'operation';
      readonly operation: PaymentOperation;
      readonly percent: number;
      readonly concurrent: boolean;
    }
  | { readonly kind: 'paid'; readonly percent: number }
  /** The merchant refunds `percent` of the amount on the gateway's own pages, if the charge has that much. */
  | { readonly kind: 'gateway_refund'; readonly percent: number }
  | { readonly kind: 'callback'; readonly style: CallbackStyle }
  | { readonly kind: 'time'; readonly hours: number }
  /** The gateway fails the next `times` requests of this kind. */
  | {
      readonly kind: 'fault';
      readonly operation: PaymentOperation | 'inquiry';
      readonly behavior: Behavior;
      readonly times: number;
    }
  /** The payment's workflow is terminated, or deleted with its history. */
  | { readonly kind: 'terminate' | 'delete' };

export interface PaymentScenarioPlan {
  readonly purchaseKind: PurchaseKind;
  readonly gateway: GatewaySlug;
  /** Whether it is split between two recipients. */
  readonly split: boolean;
  /** Whether the gateway sends callbacks. */
  readonly sendsCallbacks: boolean;
  readonly steps: readonly PaymentScenarioStep[];
}

const lostAnswer = fc.constantFrom<Behavior>(
  { drop: 'before' },
  { drop: 'after' },
  { hang: 'before' },
  { hang: 'after' },
  { truncate: true },
  { html: 502 },
  { status: 503 },
  { delay_ms: 300 },
);
const foreignPage = fc.constantFrom<Behavior>(...FOREIGN_PAGES);
/** The gateway accepts the operation, and carries it out or refuses it later. */
const pending = fc.constantFrom<Behavior>(
  { pending_then: 'executed', pending_ms: 100 },
  { pending_then: 'refused', pending_ms: 100 },
  { pending_then: 'executed', pending_ms: 100, drop: 'after' },
);
const refusal = fc.constantFrom<Behavior>({ status: 429 }, { status: 422 }, { status: 401 });

const fault = fc.record({
  kind: fc.constant('fault' as const),
  operation: fc.constantFrom('capture' as const, 'cancel' as const, 'refund' as const, 'inquiry' as const),
  behavior: fc.oneof(
    { weight: 4, arbitrary: lostAnswer },
    { weight: 2, arbitrary: foreignPage },
    { weight: 2, arbitrary: pending },
    { weight: 1, arbitrary: refusal },
  ),
  times: fc.integer({ min: 1, max: 2 }),
});

const operation = fc.record({
  kind: fc.constant('operation' as const),
  operation: fc.constantFrom<PaymentOperation>('capture', 'capture', 'cancel', 'refund', 'refund'),
  percent: fc.constantFrom(1, 30, 60, 100),
  concurrent: fc.boolean(),
});

const step: fc.Arbitrary<PaymentScenarioStep> = fc.oneof(
  { weight: 6, arbitrary: operation },
  { weight: 4, arbitrary: fault },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('paid' as const),
      percent: fc.constantFrom(30, 70, 100, 130),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('gateway_refund' as const),
      percent: fc.constantFrom(10, 30, 100),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('callback' as const),
      style: fc.constantFrom<CallbackStyle>('correct', 'repeated', 'forged', 'wrong', 'chargeback'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('time' as const), hours: fc.constantFrom(0.1, 2, 25, 200) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('terminate' as const, 'delete' as const) }),
  },
);

/** Of these gateways only gateway_1 supports authorization without capture. */
const purchaseArbitrary = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      purchaseKind: fc.constant('authorization' as const),
      gateway: fc.constant('gateway_1' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      purchaseKind: fc.constantFrom('pix' as const, 'pix' as const, 'sale' as const),
      gateway: fc.constantFrom('gateway_1' as const, 'gateway_2' as const, 'gateway_3' as const),
    }),
  },
);

/** Any sequence of events, whether possible in that state or not. */
export const scenarioPlans: fc.Arbitrary<PaymentScenarioPlan> = fc
  .tuple(
    purchaseArbitrary,
    fc.record({
      split: fc.boolean(),
      sendsCallbacks: fc.boolean(),
      steps: fc.array(step, { minLength: 2, maxLength: 9, size: 'max' }),
    }),
  )
  .map(([chosenPurchase, plan]) => ({ ...chosenPurchase, ...plan }));

/** From `FC_RUNS` and `FC_SEED`; a failure prints its seed. */
export function runsAndSeed(fallbackRuns: number): { readonly numRuns: number; readonly seed: number } {
  const { FC_RUNS, FC_SEED } = process.env;
  return {
    numRuns: FC_RUNS === undefined ? fallbackRuns : Number(FC_RUNS),
    seed: FC_SEED === undefined ? Date.now() % 2 ** 31 : Number(FC_SEED),
  };
}
