import type { ReportedCharge } from '../../domain/payments/restored/reported-charge';

/** Asks for the charges that were made or changed at `since` or later. */
export interface ChangesQuery {
  readonly since: Date;
  /** Of the page before; null for the first. */
  readonly cursor: string | null;
}

/** In the order of their last change, so that none is missed that changes meanwhile. */
export interface ChangesPage {
  readonly charges: readonly ReportedCharge[];
  /** Null after the last page. */
  readonly nextCursor: string | null;
}
