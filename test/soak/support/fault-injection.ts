import fc from 'fast-check';
import type { Behavior } from '../../../src/simulator/scripts';
import { lostAnswers } from '../../support/fixtures/lost-answers';

/** One way a gateway misbehaves, towards so many requests in a row. */
export interface Trouble {
  readonly behavior: Behavior;
  readonly times: number;
}

const LOST_ANSWERS: readonly Behavior[] = lostAnswers(250);
const OUT_OF_SERVICE: readonly Behavior[] = [{ status: 503 }, { status: 429 }];
const EARLY_CALLBACK: readonly Behavior[] = [{ callback_first: true }];

const sometimes = (behaviors: readonly Behavior[], times: readonly number[]): fc.Arbitrary<Trouble | null> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({ behavior: fc.constantFrom(...behaviors), times: fc.constantFrom(...times) }),
    },
  );

const declines = (...codes: string[]): Behavior[] => codes.map((decline) => ({ decline }));

/** What may go wrong with the charge. */
export const chargeTrouble = sometimes(
  [...LOST_ANSWERS, ...OUT_OF_SERVICE, ...EARLY_CALLBACK, ...declines('05', '51', '91')],
  [1, 1, 2],
);

/** What may go wrong with a capture, a cancel or a refund. */
export const operationTrouble = sometimes(
  [...LOST_ANSWERS, ...OUT_OF_SERVICE, ...EARLY_CALLBACK, ...declines('51', '91')],
  [1],
);

/** Whether a customer may be refused, or an operation not be carried out, because of it: otherwise it only takes longer. */
export function mayRefuse(trouble: Trouble | null): boolean {
  if (trouble === null) return false;
  const { behavior, times } = trouble;
  return times > 1 || behavior.decline !== undefined || behavior.status !== undefined;
}
