import { assertNever } from '../shared/assert-never';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { GatewaySecretId } from '../shared/ids';
import { moving, posting, type JournalEntry, type LedgerPosting } from './journal';

/** A line of a gateway's statement, in minor units. */
export type SettlementLine =
  /** The gateway settles a receivable, or a deduction if the amount is negative; `feeCents` is kept of it. */
  | {
      readonly kind: 'settled';
      readonly amountCents: number;
      readonly feeCents: number;
      /** The receivable's own day and installment, so that it is found settled. */
      readonly expectedOn: string | null;
      readonly installment: number | null;
    }
  | { readonly kind: 'fee_charged'; readonly feeCents: number }
  | { readonly kind: 'paid_out'; readonly amountCents: number };

/** Which line it is. */
export interface SettlementLineOf {
  /** The same whenever the line is read, such as `settlement/<statement>/<line>`. */
  readonly step: string;
  readonly currency: string;
  readonly gateway: GatewaySlug;
  readonly secretId: GatewaySecretId | null;
  readonly at: Date;
}

/** The entry of a statement's line; null if it moves no money. */
export function settlementEntry(line: SettlementLine, of: SettlementLineOf): JournalEntry | null {
  const { step, currency, gateway, secretId, at: postedAt } = of;
  const postings = moving(postingsOf(line, gateway));
  return postings.length === 0 ? null : { step, kind: line.kind, currency, postedAt, secretId, postings };
}

function postingsOf(line: SettlementLine, gateway: GatewaySlug): LedgerPosting[] {
  switch (line.kind) {
    case 'settled': {
      const { amountCents, feeCents, expectedOn, installment } = line;
      return [
        posting('gateway_balance', amountCents - feeCents, { gateway }),
        posting('fees', feeCents, { gateway }),
        posting('gateway_receivable', -amountCents, { gateway, expectedOn, installment }),
      ];
    }
    case 'fee_charged':
      return [
        posting('fees', line.feeCents, { gateway }),
        posting('gateway_balance', -line.feeCents, { gateway }),
      ];
    case 'paid_out':
      return [posting('bank', line.amountCents), posting('gateway_balance', -line.amountCents, { gateway })];
    default:
      return assertNever(line);
  }
}
