/** What a company answers to a dispute: it accepts it, or submits evidence against it. */
export const DISPUTE_ANSWERS = ['accept', 'evidence'] as const;
export type DisputeRequestKind = (typeof DISPUTE_ANSWERS)[number];

/** `sent`: the gateway may have it. `unknown`: nobody could find out whether it has. */
export type DisputeRequestStatus = 'requested' | 'sent' | 'done' | 'refused' | 'unknown';

export interface DisputeRequest {
  readonly id: string;
  readonly kind: DisputeRequestKind;
  readonly status: DisputeRequestStatus;
  /** Why it was refused, or is unknown. */
  readonly message: string | null;
  readonly sentAt: Date | null;
  /** How many times the gateway was asked to take it, or whether it took it. */
  readonly tries: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** After so many tries a person must look at the gateway's own pages: about five hours. */
export const MAX_REQUEST_TRIES = 40;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Until the gateway is asked again, in ms. */
export function requestPauseMs({ tries }: Pick<DisputeRequest, 'tries'>): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1), LONGEST_PAUSE_MS);
}

/** Whether the gateway has not answered yet. */
export function isUnderWay({ status }: Pick<DisputeRequest, 'status'>): boolean {
  return status === 'requested' || status === 'sent';
}
