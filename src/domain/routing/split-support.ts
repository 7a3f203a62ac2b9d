import type { Split } from '../payments/split';
import { assertNever } from '../shared/assert-never';

/**
 * How a gateway divides a payment. `exact`: the gross amount, in exact cents. `net`: what is left after the gateway's fee, by
 * percentages. `fee`: the payment is one recipient's, less a fee of the platform.
 */
export const SPLIT_KINDS = ['exact', 'net', 'fee', 'none'] as const;
export type SplitKind = (typeof SPLIT_KINDS)[number];

/** Who bears the gateway's fees and the chargebacks of a split payment: the recipients that the request flags, all recipients by their shares, or the platform. */
export type SplitCosts = 'flagged' | 'recipients' | 'platform';

export interface SplitSupport {
  readonly splits: SplitKind;
  /** The most splits of one payment; 0 if the gateway supports none. */
  readonly maxRecipients: number;
  readonly splitCosts: SplitCosts;
}

/** What splits ask for that a gateway cannot do. */
export type SplitLimit = 'splits' | 'split_count' | 'split_flat' | 'split_remainder' | 'split_costs';

/** Null if the gateway divides a payment as these splits promise (docs/decisions/splits-and-recipients.md). */
export function splitLimit(support: SplitSupport, splits: readonly Split[]): SplitLimit | null {
  if (splits.length === 0) return null;
  if (support.splits === 'none') return 'splits';
  if (splits.length > maxSplits(support)) return 'split_count';
  if (support.splits === 'net' && splits.length > 1) {
    if (splits.some(({ type }) => type === 'flat')) return 'split_flat';
    if (splits.some((split) => split.chargeRemainderFee)) return 'split_remainder';
  }
  return areCostsBorneBy(support.splitCosts, splits) ? null : 'split_costs';
}

/** Why a gateway cannot do what the splits ask for, after its name. */
export function describeSplitLimit(limit: SplitLimit, support: SplitSupport): string {
  switch (limit) {
    case 'splits':
      return 'does not support splits';
    case 'split_count': {
      const most = maxSplits(support);
      return `splits a payment between ${most === 1 ? 'one recipient' : `${most} recipients`} at most`;
    }
    case 'split_flat':
      return 'splits what is left after its fee, by percentages only';
    case 'split_remainder':
      return 'rounds by its own rule and does not support charge_remainder_fee';
    case 'split_costs':
      return support.splitCosts === 'platform'
        ? 'charges its fees and chargebacks to the platform, so no split can be liable or pay the fees'
        : 'charges its fees and chargebacks to all recipients, so liable and charge_processing_fee must be the same in all splits';
    default:
      return assertNever(limit);
  }
}

/**
 * Why a gateway cannot divide a capture or a refund by splits that its request names, after the gateway's name. Only an `exact`
 * gateway takes a refund from the recipients that a request names; the others have a rule of their own.
 */
export function operationSplitsProblem(
  operation: 'capture' | 'refund',
  support: SplitSupport,
  splits: readonly Split[],
): string | null {
  const limit = splitLimit(support, splits);
  if (limit !== null) return describeSplitLimit(limit, support);
  if (operation === 'capture' || support.splits === 'exact' || splits.length === 0) return null;
  return 'takes a refund from all recipients by their shares: omit splits';
}

/** With the fee model a payment has one owner, because all splits together are the whole amount. */
function maxSplits({ splits, maxRecipients }: SplitSupport): number {
  return splits === 'fee' ? 1 : maxRecipients;
}

/** If no split is flagged, the request says nothing about who bears the costs. */
function areCostsBorneBy(costs: SplitCosts, splits: readonly Split[]): boolean {
  const flags = [splits.map(({ liable }) => liable), splits.map((split) => split.chargeProcessingFee)];
  switch (costs) {
    case 'flagged':
      return true;
    case 'recipients':
      return flags.every((values) => new Set(values).size <= 1);
    case 'platform':
      return flags.every((values) => !values.includes(true));
    default:
      return assertNever(costs);
  }
}
