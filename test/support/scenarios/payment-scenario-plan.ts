import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { Behavior } from '../../../src/simulator/scripts';
import type { PurchaseKind } from './purchase';

/** How a callback tells: as it is, five times over, with a wrong signature, with a lie in it, or of a chargeback. */
export type CallbackStyle = 'true' | 'repeated' | 'forged' | 'lying' | 'chargeback';

/** One thing that happens to a payment. */
export type LifeStep =
  /** `together`: the next step does not wait for the answer. `percent` of the amount. */
  | {
      readonly kind: 'operation';
      readonly operation: PaymentOperation;
      readonly percent: number;
      readonly together: boolean;
    }
  | { readonly kind: 'paid'; readonly percent: number }
  | { readonly kind: 'callback'; readonly style: CallbackStyle }
  | { readonly kind: 'time'; readonly hours: number }
  /** The gateway misbehaves towards the next so many requests of this kind. */
  | {
      readonly kind: 'trouble';
      readonly operation: PaymentOperation | 'inquiry';
      readonly behavior: Behavior;
      readonly times: number;
    }
  /** The payment's workflow ends from outside. */
  | { readonly kind: 'terminated' | 'forgotten' };

export interface LifePlan {
  readonly bought: PurchaseKind;
  readonly gateway: GatewaySlug;
  /** Whether two recipients share it. */
  readonly split: boolean;
  /** Whether its gateway calls back of its own accord. */
  readonly callsBack: boolean;
  readonly steps: readonly LifeStep[];
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
const refusal = fc.constantFrom<Behavior>({ status: 429 }, { status: 422 }, { status: 401 });

const trouble = fc.record({
  kind: fc.constant('trouble' as const),
  operation: fc.constantFrom('capture' as const, 'cancel' as const, 'refund' as const, 'inquiry' as const),
  behavior: fc.oneof({ weight: 4, arbitrary: lostAnswer }, { weight: 1, arbitrary: refusal }),
  times: fc.integer({ min: 1, max: 2 }),
});

const operation = fc.record({
  kind: fc.constant('operation' as const),
  operation: fc.constantFrom<PaymentOperation>('capture', 'capture', 'cancel', 'refund', 'refund'),
  percent: fc.constantFrom(1, 30, 60, 100),
  together: fc.boolean(),
});

const step: fc.Arbitrary<LifeStep> = fc.oneof(
  { weight: 6, arbitrary: operation },
  { weight: 4, arbitrary: trouble },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('paid' as const),
      percent: fc.constantFrom(30, 70, 100, 130),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('callback' as const),
      style: fc.constantFrom<CallbackStyle>('true', 'repeated', 'forged', 'lying', 'chargeback'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('time' as const), hours: fc.constantFrom(0.1, 2, 25, 200) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('terminated' as const, 'forgotten' as const) }),
  },
);

/** Only gateway_1 authorizes without capturing, of these. */
const place = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      bought: fc.constant('authorization' as const),
      gateway: fc.constant('gateway_1' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      bought: fc.constantFrom('pix' as const, 'pix' as const, 'sale' as const),
      gateway: fc.constantFrom('gateway_1' as const, 'gateway_2' as const, 'gateway_3' as const),
    }),
  },
);

/** A payment's life in any order, the possible and the impossible. */
export const lifePlan: fc.Arbitrary<LifePlan> = fc
  .tuple(
    place,
    fc.record({
      split: fc.boolean(),
      callsBack: fc.boolean(),
      steps: fc.array(step, { minLength: 2, maxLength: 9, size: 'max' }),
    }),
  )
  .map(([where, rest]) => ({ ...where, ...rest }));

/** By `FC_RUNS` and `FC_SEED`; a failure prints its seed. */
export function runsAndSeed(fallbackRuns: number): { readonly numRuns: number; readonly seed: number } {
  const { FC_RUNS, FC_SEED } = process.env;
  return {
    numRuns: FC_RUNS === undefined ? fallbackRuns : Number(FC_RUNS),
    seed: FC_SEED === undefined ? Date.now() % 2 ** 31 : Number(FC_SEED),
  };
}
