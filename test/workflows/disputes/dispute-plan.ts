import fc from 'fast-check';

/** What happens to a payment and its dispute, in parts of the payment's amount. */
export type DisputeStep =
  | { readonly kind: 'capture' }
  /** Its result comes later if it is `slow`. */
  | { readonly kind: 'refund'; readonly part: number; readonly slow: boolean }
  /** The oldest refund in flight succeeds at the gateway. */
  | { readonly kind: 'finish_refund' }
  /** The customer's bank opens the dispute, decides it or opens it again, whichever can be. */
  | { readonly kind: 'dispute'; readonly part: number; readonly isWon: boolean }
  /** The callback about the change with this number arrives, for the first time or again. */
  | { readonly kind: 'callback'; readonly number: number };

export interface DisputePlan {
  /** `late`: the answer to the charge is lost, and an inquiry finds it later. */
  readonly start: 'sale' | 'authorization' | 'late';
  readonly steps: readonly DisputeStep[];
  /** In which order all callbacks arrive in the end. */
  readonly order: readonly number[];
}

const part = fc.integer({ min: 1, max: 10 }).map((tenths) => tenths / 10);

const step = fc.oneof(
  { weight: 1, arbitrary: fc.constant<DisputeStep>({ kind: 'capture' }) },
  {
    weight: 2,
    arbitrary: fc.record({ part, slow: fc.boolean() }).map((of): DisputeStep => ({ kind: 'refund', ...of })),
  },
  { weight: 1, arbitrary: fc.constant<DisputeStep>({ kind: 'finish_refund' }) },
  {
    weight: 4,
    arbitrary: fc
      .record({ part, isWon: fc.boolean() })
      .map((of): DisputeStep => ({ kind: 'dispute', ...of })),
  },
  { weight: 3, arbitrary: fc.nat({ max: 6 }).map((number): DisputeStep => ({ kind: 'callback', number })) },
);

export const disputePlans: fc.Arbitrary<DisputePlan> = fc.record({
  start: fc.constantFrom('sale', 'sale', 'late', 'authorization'),
  steps: fc.array(step, { minLength: 4, maxLength: 10 }),
  order: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
});
