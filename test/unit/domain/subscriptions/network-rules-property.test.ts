import * as fc from 'fast-check';
import { DECLINE_CLASSES } from '../../../../src/domain/payments/decline';
import type { SubscriptionCommand } from '../../../../src/domain/subscriptions/subscription-commands';
import { loadOracle } from '../../../support/card-networks/oracle';
import { SharedCard, type IssuerAnswer, type SentCharge } from './shared-card';
import { CARD, CREATED_AT, GOLD, terms } from './subscription-scenario';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const { declines, advice } = loadOracle();
const readings = new Map(declines.map(([code, brand, reading]) => [`${code} ${brand}`, reading]));
const adviceRules = new Map(
  advice.map(([code, retry, waitS]) => [code, { retry, waitMs: (waitS ?? 0) * 1000 }]),
);

/** The limits as the networks publish them: at most so many declines in a time, of the card or of the card and amount. */
const LIMITS = {
  visa: [{ most: 14, days: 30, byAmount: true }],
  elo: [{ most: 14, days: 30, byAmount: true }],
  hipercard: [{ most: 8, days: 31, byAmount: true }],
  mastercard: [
    { most: 6, days: 1, byAmount: false },
    { most: 34, days: 30, byAmount: false },
  ],
  amex: [],
} as const;
type Brand = keyof typeof LIMITS;
const BRANDS = Object.keys(LIMITS) as Brand[];

type Declined = SentCharge & { readonly answer: NonNullable<IssuerAnswer> };

/** What the networks' lists, or the class of a decline without a code, forbid about a charge, given what was declined before; null if nothing. */
function violation(brand: Brand, charge: SentCharge, before: readonly SentCharge[]): string | null {
  const refused = before.filter((one): one is Declined => one.answer !== null);
  const sameAmount = ({ amountCents }: SentCharge): boolean => amountCents === charge.amountCents;
  const ruleOf = ({ answer }: Declined) => adviceRules.get(answer.adviceCode ?? '');
  const readingOf = ({ answer }: Declined) => readings.get(`${answer.code} ${brand}`);
  for (const one of refused) {
    if (ruleOf(one)?.retry === 'never') return `advice ${one.answer.adviceCode} forbids the card`;
    const isForbidden = readingOf(one) === 'irreversible' && (sameAmount(one) || brand === 'amex');
    if (isForbidden) return `code ${one.answer.code} forbids the card`;
    const { retry, waitMs = 0 } = ruleOf(one) ?? {};
    const mustWait = charge.initiator === 'schedule' && retry === 'after a wait' && sameAmount(one);
    if (mustWait && +charge.at < +one.at + waitMs) return `advice ${one.answer.adviceCode} asks to wait`;
  }
  for (const { most, days, byAmount } of LIMITS[brand]) {
    const since = +charge.at - days * DAY_MS;
    const counted = refused.filter((one) => +one.at > since && (!byAmount || sameAmount(one)));
    if (counted.length >= most) return `${counted.length} declines in ${days} days`;
  }
  const last = refused.findLast(
    ({ subscription, cycle }) => subscription === charge.subscription && cycle === charge.cycle,
  );
  if (charge.initiator !== 'schedule' || last === undefined) return null;
  const { code, declineType } = last.answer;
  if (code === null && declineType !== 'soft') return `a decline that is ${declineType} forbids a retry`;
  if (ruleOf(last)?.retry === 'after a correction')
    return `advice ${last.answer.adviceCode} needs other data`;
  return readingOf(last) === 'contradicted'
    ? `the sources of ${last.answer.code} contradict each other`
    : null;
}

const PLANS = [
  { ...GOLD, interval: 'weekly' },
  { ...GOLD, planId: 'silver', amountCents: 4_000 },
  { ...GOLD, planId: 'daily', amountCents: 150, interval: 'daily' },
] as const;

type Action =
  | { readonly create: (typeof PLANS)[number]; readonly trialDays: number }
  | { readonly sameCard: true }
  | SubscriptionCommand;

const softDecline = (brand: Brand): IssuerAnswer => ({
  code: brand === 'amex' ? '116' : '51',
  adviceCode: null,
  declineType: null,
});

const answersOf = (brand: Brand): fc.Arbitrary<IssuerAnswer> => {
  const codes = declines.filter(([, own]) => own === brand);
  const withoutAdvice = fc
    .constantFrom(...codes)
    .map(([code]) => ({ code, adviceCode: null, declineType: null }));
  // Soft declines are the most frequent, or else no limit would ever be reached.
  const soft = fc.constant(softDecline(brand));
  const advised = fc
    .constantFrom(...advice)
    .map(([adviceCode]) => ({ code: '51', adviceCode, declineType: null }));
  const withoutCode = fc
    .constantFrom(...DECLINE_CLASSES)
    .map((declineType) => ({ code: null, adviceCode: null, declineType }));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 9, arbitrary: soft },
    { weight: 1, arbitrary: withoutAdvice },
    { weight: 1, arbitrary: withoutCode },
    ...(brand === 'mastercard' ? [{ weight: 1, arbitrary: advised }] : []),
  );
};

const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ create: fc.constantFrom(...PLANS), trialDays: fc.constantFrom(0, 0, 3) }),
  },
  { weight: 6, arbitrary: fc.constant({ kind: 'retry' } as const) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...PLANS)
      .map((to) => ({ kind: 'change_plan', to, immediately: true }) as const),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: 'pause', until: null } as const, { kind: 'resume' } as const),
  },
  { weight: 1, arbitrary: fc.constant({ sameCard: true } as const) },
);

const scenarios = fc.constantFrom(...BRANDS).chain((brand) =>
  fc.record({
    brand: fc.constant(brand),
    answers: fc.infiniteStream(answersOf(brand)),
    steps: fc.array(
      fc.record({
        afterMs: fc.oneof(fc.nat(HOUR_MS), fc.nat(HOUR_MS), fc.nat(9 * DAY_MS)),
        subscription: fc.nat(2),
        isLate: fc.boolean(),
        action: actions,
      }),
      { maxLength: 60, size: 'max' },
    ),
  }),
);

/** A card that is declined each time, and tried again each hour: every network's limit is reached. */
const declinedEachHour = (brand: Brand) => ({
  brand,
  answers: fc.stream(always(softDecline(brand))),
  steps: Array.from({ length: 60 }, (_, step) => ({
    afterMs: HOUR_MS,
    subscription: step % 3,
    isLate: false,
    action: step % 2 === 0 ? { create: PLANS[0], trialDays: 0 } : ({ kind: 'retry' } as const),
  })),
});

/** The same card, which the issuer first declines for good: the network without limits withholds the retry as well. */
const declinedForGood = (brand: Brand) => {
  const [code = null] =
    declines.find(([, own, reading]) => own === brand && reading === 'irreversible') ?? [];
  const answers = fc.stream(always<IssuerAnswer>({ code, adviceCode: null, declineType: null }));
  return { ...declinedEachHour(brand), answers };
};

type Scenario = ReturnType<typeof declinedEachHour>;

function* always<T>(value: T): Generator<T> {
  while (true) yield value;
}

describe('whatever an issuer answers', () => {
  it('no sequence of declines leads to a charge that the network of the card forbids', () => {
    const withheld = new Map<Brand, number>(BRANDS.map((brand) => [brand, 0]));
    fc.assert(
      fc.property(scenarios, ({ brand, answers, steps }) => {
        const card = { ...CARD, brand };
        const shared = new SharedCard(answers);
        let now = +CREATED_AT;
        for (const { afterMs, subscription, isLate, action } of steps) {
          now += afterMs;
          const at = new Date(now);
          shared.advance(at, isLate);
          if ('create' in action) {
            shared.create(
              subscription,
              terms({ plan: action.create, trialDays: action.trialDays, card }),
              at,
            );
          } else {
            shared.apply(subscription, 'sameCard' in action ? { kind: 'change_card', card } : action, at);
          }
        }
        withheld.set(brand, (withheld.get(brand) ?? 0) + shared.withheld);
        for (const [index, charge] of shared.charges.entries()) {
          expect(violation(brand, charge, shared.charges.slice(0, index))).toBeNull();
        }
      }),
      {
        numRuns: 150,
        examples: BRANDS.flatMap((brand): Array<[Scenario]> => [
          [declinedEachHour(brand)],
          [declinedForGood(brand)],
        ]),
      },
    );
    for (const count of withheld.values()) expect(count).toBeGreaterThan(0);
  });
});
