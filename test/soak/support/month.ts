import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { STORIES, type Story } from './scenarios';
import { chargeTrouble, operationTrouble, type Trouble } from './fault-injection';

/** One customer's story with all that chance decides in it. */
export interface PlannedPurchase {
  readonly story: Story;
  /** No other payment of the month has it: gateways are told by it whom to misbehave towards. */
  readonly amountCents: number;
  readonly gateway: GatewaySlug;
  /** How much a part is of a whole, in percent. */
  readonly part: number;
  readonly chargeTrouble: Trouble | null;
  /** One for each operation on the charge, in order. */
  readonly operationTroubles: ReadonlyArray<Trouble | null>;
}

/** Every way a gateway tells of a lost answer: 1 and 4 by key and reference, 2 by reference, 6 by key, 3 not at all. */
const GATEWAYS: readonly GatewaySlug[] = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_6'];
/** Amounts of a month are this far apart; within that, chance decides. */
const AMOUNT_STEP_CENTS = 1_000;
const MONTHS = 1_000;
const SMALLEST_CENTS = 1_000_000;

const DECK: readonly Story[] = STORIES.flatMap((story) => Array<Story>(story.times).fill(story));

/** As many as the stories' times add up to. */
export const PAYMENTS_A_MONTH = DECK.length;

const chances = fc.record({
  cents: fc.nat(AMOUNT_STEP_CENTS - 1),
  gateway: fc.constantFrom(...GATEWAYS),
  part: fc.integer({ min: 1, max: 99 }),
  chargeTrouble,
  operationTroubles: fc.array(operationTrouble, { minLength: 3, maxLength: 3 }),
});

/** The same month for the same seed: every story as often as it says, in an order and with troubles of the seed's own. */
export function planMonth(seed: number): PlannedPurchase[] {
  const whole = { minLength: PAYMENTS_A_MONTH, maxLength: PAYMENTS_A_MONTH };
  const month = fc.tuple(fc.shuffledSubarray([...DECK], whole), fc.array(chances, { ...whole, size: 'max' }));
  const [drawn] = fc.sample(month, { seed, numRuns: 1, unbiased: true });
  if (drawn === undefined) throw new Error('nothing was drawn');
  const [stories, luck] = drawn;
  const firstCents = SMALLEST_CENTS + (seed % MONTHS) * PAYMENTS_A_MONTH * AMOUNT_STEP_CENTS;
  return stories.flatMap((story, index) => {
    const chance = luck[index];
    if (chance === undefined) return [];
    const { cents, ...rest } = chance;
    return [{ story, amountCents: firstCents + index * AMOUNT_STEP_CENTS + cents, ...rest }];
  });
}
