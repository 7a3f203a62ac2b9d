import { ChargeSlots } from '../../activities/subscriptions/charge-slots';
import type { Config } from '../config';

/** Shares of the process's workflow tasks in which charges of subscriptions are made, and of one company with a slow gateway. */
const CHARGES_SHARE = 3 / 4;
const SLOW_CHARGES_SHARE = 1 / 6;
/** Most gateways answer in one second. */
const SLOW_CHARGE_MS = 3_000;
/** While renewals that are due together keep the machine busy, a slot becomes free soon. */
const CHARGE_SLOT_WAIT_MS = 2_000;

/** For the steps of subscriptions in one process. */
export function createChargeSlots({ temporal: { concurrency } }: Config): ChargeSlots {
  return new ChargeSlots({
    atOnce: Math.max(1, Math.floor(concurrency * CHARGES_SHARE)),
    slowAtOnce: Math.max(1, Math.floor(concurrency * SLOW_CHARGES_SHARE)),
    slowMs: SLOW_CHARGE_MS,
    waitMs: CHARGE_SLOT_WAIT_MS,
  });
}
