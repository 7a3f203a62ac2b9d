import type { HoldReason, OpenCycle, SubscriptionState } from './subscription';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When a charge on hold is tried again, since the hold began. After the last one it is tried at its interval. */
const FIRST_PROBES_MS: readonly number[] = [15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS];
const PROBE_INTERVAL_MS = 12 * HOUR_MS;

/** After this time on hold, `subscription.payment.delayed` is published. */
const DELAYED_AFTER_MS = 10 * 24 * HOUR_MS;

export interface UnansweredCharge {
  readonly beganAt: Date;
  readonly at: Date;
  readonly reason: HoldReason;
  readonly detail?: string | null;
}

/** Holds an unanswered charge that began at `beganAt`, until the next probe after `at`. A hold that exists goes on. */
export function heldCycle(
  cycle: OpenCycle,
  { beganAt, at, reason, detail = null }: UnansweredCharge,
): OpenCycle {
  const { since, delayNotified } = cycle.hold ?? { since: beganAt, delayNotified: false };
  const nextProbeAt = nextProbeAfter(since, at);
  return { ...cycle, nextRetryAt: null, hold: { since, reason, detail, nextProbeAt, delayNotified } };
}

/**
 * Holds the open charge, which began at `beganAt`, until its gateway reports the outcome. It stays open, because it may
 * hold money.
 */
export function unresolvedCycle(cycle: OpenCycle, beganAt: Date): OpenCycle {
  const { since, delayNotified } = cycle.hold ?? { since: beganAt, delayNotified: false };
  return {
    ...cycle,
    hold: { since, reason: 'outcome_unknown', detail: null, nextProbeAt: null, delayNotified },
  };
}

/** Whether the open charge is on hold because its gateway has not reported the outcome. */
export function isUnresolved({ openCharge, openCycle }: SubscriptionState): boolean {
  return openCharge?.kind === 'cycle' && openCycle?.hold?.reason === 'outcome_unknown';
}

function nextProbeAfter(since: Date, at: Date): Date {
  const first = FIRST_PROBES_MS.map((delayMs) => new Date(+since + delayMs)).find((probe) => probe > at);
  if (first !== undefined) return first;
  const fromMs = +since + (FIRST_PROBES_MS.at(-1) ?? 0);
  const passed = Math.floor((+at - fromMs) / PROBE_INTERVAL_MS);
  return new Date(fromMs + (passed + 1) * PROBE_INTERVAL_MS);
}

/** The cycle while its charge is sent, so that no probe is due. */
export function withoutProbe(cycle: OpenCycle): OpenCycle {
  return { ...cycle, nextRetryAt: null, hold: cycle.hold && { ...cycle.hold, nextProbeAt: null } };
}

/** When the subscription's delayed charge is published; null if it is not on hold or it was published. */
export function delayedAt({ openCycle }: SubscriptionState): Date | null {
  const hold = openCycle?.hold ?? null;
  return hold === null || hold.delayNotified ? null : new Date(+hold.since + DELAYED_AFTER_MS);
}

/** Ends the hold with a decline. Dunning and the time in `past_due` go on as if the hold had not been. */
export function endHold(
  state: SubscriptionState,
  cycle: OpenCycle,
  at: Date,
): { readonly state: SubscriptionState; readonly cycle: OpenCycle } {
  if (cycle.hold === null) return { state, cycle };
  const heldMs = +at - +cycle.hold.since;
  return {
    state: { ...state, pastDueSince: later(state.pastDueSince, heldMs) },
    cycle: { ...cycle, hold: null, firstFailedAt: later(cycle.firstFailedAt, heldMs) },
  };
}

/** Moves the dunning schedule and the hold by the length of a pause. */
export function postponed(cycle: OpenCycle, ms: number): OpenCycle {
  const { hold } = cycle;
  return {
    ...cycle,
    firstFailedAt: later(cycle.firstFailedAt, ms),
    nextRetryAt: later(cycle.nextRetryAt, ms),
    hold: hold && { ...hold, since: new Date(+hold.since + ms), nextProbeAt: later(hold.nextProbeAt, ms) },
  };
}

function later(instant: Date | null, ms: number): Date | null {
  return instant && new Date(+instant + ms);
}
