import type { GatewaySlug } from '../shared/gateway-slug';
import type { GatewayAccountId, SettlementId } from '../shared/ids';

/** Where the lines come from. */
export const SETTLEMENT_SOURCES = ['gateway', 'upload'] as const;
export type SettlementSource = (typeof SETTLEMENT_SOURCES)[number];

export const SETTLEMENT_STATUSES = [
  /** An upload is under way. */
  'receiving',
  /** The statement is fetched from the gateway, page by page. */
  'fetching',
  /** Its lines are matched to the records. */
  'matching',
  /** What the records expect is compared with the lines. */
  'comparing',
  /** Payments without an outcome are asked about; their lines are matched again. */
  'waiting',
  'done',
  /** The statement could not be fetched; `problem` tells why. */
  'failed',
] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/** Which statement it is, and its actor. Only ids: no personal data. */
export interface SettlementToStart {
  readonly settlementId: SettlementId;
  readonly companyId: number;
  readonly gateway: GatewaySlug;
  /** Null for the platform's own account. */
  readonly accountId: GatewayAccountId | null;
  /** `YYYY-MM-DD` in Brasília. */
  readonly day: string;
}

/** How many times a gateway is asked for a statement that it does not have, or cannot send. */
export const MAX_FETCH_TRIES = 100;
/** How many times lines are matched again whose payments have no outcome. */
export const MAX_MATCH_TRIES = 20;

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Until the next try, in ms. */
export function settlementPauseMs(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 20), LONGEST_PAUSE_MS);
}
