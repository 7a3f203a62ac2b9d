/** A cycle that was paid or waived. Amounts in cents; instants in ms since 1970, by the subscription's clock. */
export interface SettledCycle {
  readonly kind: 'regular' | 'proration' | 'interval_change';
  readonly amountCents: number;
  readonly chargeCents: number;
  readonly creditCents: number;
  readonly start: number;
  readonly end: number;
}

/** The plan that a subscription had from an instant on. */
export interface PlanInForce {
  /** The price of a full period. */
  readonly cents: number;
  readonly from: number;
}

/** The money of one subscription without coupons, trials and billing days, whose open charges are settled. */
export interface SubscriptionMoney {
  readonly id: string;
  /** In order; the first is the plan of its creation. */
  readonly plans: readonly PlanInForce[];
  /** In the order of their beginnings. */
  readonly cycles: readonly SettledCycle[];
  readonly creditBalanceCents: number;
  /** What its gateways took and did not give back. */
  readonly takenCents: number;
}

/** A part of a paid period during which the plan did not change. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly centsPerMs: number;
}

/** How far the periods of two subscriptions that are compared may be apart. */
const SAME_PERIODS_WITHIN_MS = 10 * 60_000;

/**
 * What its periods were paid equals the prices of the plans they ran on, by how long they ran, to the cent that each
 * charge and each plan change rounds. Returns the violations.
 */
export function periodPriceViolations(money: SubscriptionMoney): string[] {
  const { id, cycles, plans, takenCents } = money;
  const chargedCents = sum(cycles.map(({ chargeCents }) => chargeCents));
  const paidCents = paidForPeriods(money);
  const priceCents = sum(piecesOf(money).map(costOf));
  const [tooMuch, tooLittle] = [roundingCents(money), roundingCents(money) + waivedCents(money)];
  const isPriced = paidCents - priceCents <= tooMuch && priceCents - paidCents <= tooLittle;
  const mispriced = cycles.filter(
    ({ kind, start, amountCents }) => kind === 'regular' && amountCents !== planAt(plans, start)?.cents,
  );
  return [
    ...(isPriced
      ? []
      : [`${id}: its periods were paid ${paidCents}; its plans cost ${priceCents.toFixed(2)} for them`]),
    ...mispriced.map(
      ({ start, amountCents }) =>
        `${id}: the period from ${new Date(start).toISOString()} costs ${amountCents}, its plan ${planAt(plans, start)?.cents}`,
    ),
    ...(takenCents === chargedCents
      ? []
      : [`${id}: its gateways took ${takenCents}, its cycles charged ${chargedCents}`]),
  ];
}

/** Whether two subscriptions had the same periods before the first plan change of either. */
export function hadSamePeriods(one: SubscriptionMoney, other: SubscriptionMoney): boolean {
  const [starts, others] = [startsBeforeChanges(one), startsBeforeChanges(other)];
  return (
    starts.length === others.length &&
    starts.every((start, index) => Math.abs(start - (others[index] ?? 0)) < SAME_PERIODS_WITHIN_MS)
  );
}

/**
 * Two routes from one plan to another at one instant cost the same. Both subscriptions must have begun, and must have
 * changed to the last plan, at nearly the same instant: what the plans cost in the time between is allowed for.
 */
export function routeViolations(direct: SubscriptionMoney, detour: SubscriptionMoney): string[] {
  const routes = [direct, detour];
  const costs = routes.map(costUntilLastChange);
  const perMs = Math.max(...routes.flatMap((route) => piecesOf(route).map(({ centsPerMs }) => centsPerMs)));
  const apart =
    Math.abs(firstStart(direct) - firstStart(detour)) +
    Math.abs(lastChange(direct) - lastChange(detour)) +
    (lastChange(detour) - (detour.plans[1]?.from ?? lastChange(detour)));
  const allowed = sum(routes.map((route) => roundingCents(route) + waivedCents(route))) + perMs * apart;
  const [one = 0, other = 0] = costs;
  return Math.abs(one - other) <= allowed
    ? []
    : [
        `${direct.id} cost ${one.toFixed(2)} until its plan changed at once, ${detour.id} ${other.toFixed(2)} by a detour; ` +
          `they may differ by ${allowed.toFixed(2)}`,
      ];
}

/** What was paid until the last plan change, without what is left of the period and of the credit. */
function costUntilLastChange(money: SubscriptionMoney): number {
  const at = lastChange(money);
  const unused = piecesOf(money).map((piece) =>
    costOf({ ...piece, start: Math.max(piece.start, Math.min(at, piece.end)) }),
  );
  return paidForPeriods(money) - sum(unused);
}

function paidForPeriods({ cycles, creditBalanceCents }: SubscriptionMoney): number {
  return sum(cycles.map(({ chargeCents }) => chargeCents)) - creditBalanceCents;
}

/** A change to another interval ends the period in which it falls. */
function piecesOf({ cycles, plans }: SubscriptionMoney): Piece[] {
  const periods = cycles.filter(({ kind }) => kind !== 'proration');
  return periods.flatMap(({ start, end }, index) => {
    const ranUntil = Math.min(end, periods[index + 1]?.start ?? end);
    const changes = plans.map(({ from }) => from).filter((from) => from > start && from < ranUntil);
    const bounds = [start, ...changes, ranUntil];
    return bounds.slice(0, -1).map((from, piece) => ({
      start: from,
      end: bounds[piece + 1] ?? ranUntil,
      centsPerMs: (planAt(plans, from)?.cents ?? 0) / (end - start),
    }));
  });
}

function costOf({ start, end, centsPerMs }: Piece): number {
  return (end - start) * centsPerMs;
}

function planAt(plans: readonly PlanInForce[], at: number): PlanInForce | undefined {
  return plans.findLast(({ from }) => from <= at) ?? plans[0];
}

/** Charges and what is left over are each rounded once. */
function roundingCents({ cycles, plans }: SubscriptionMoney): number {
  return (cycles.length + plans.length) / 2;
}

function waivedCents({ cycles }: SubscriptionMoney): number {
  return sum(
    cycles.map(({ amountCents, chargeCents, creditCents }) => amountCents - chargeCents - creditCents),
  );
}

function startsBeforeChanges({ cycles, plans }: SubscriptionMoney): number[] {
  const firstChange = plans[1]?.from ?? Infinity;
  return cycles
    .filter(({ kind, start }) => kind === 'regular' && start < firstChange)
    .map(({ start }) => start);
}

function firstStart({ cycles }: SubscriptionMoney): number {
  return cycles[0]?.start ?? 0;
}

function lastChange({ plans }: SubscriptionMoney): number {
  return plans.at(-1)?.from ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
