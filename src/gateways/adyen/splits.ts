import { GatewayError } from '../errors';
import type { ChargeRequest, FollowUp, GatewayContext, GatewaySplit } from '../gateway';
import { toCompactReference } from '../compact-reference';
import { chargeReferenceOf } from '../own-references';
import { BALANCE_PLATFORM } from './credentials';

/** Adyen names no limit for balance accounts; the API of this service takes no more. */
export const MAX_RECIPIENTS = 50;
/** `BA3227C223222H5J4DCGQ9V9L` in Adyen/adyen-openapi, BalancePlatformService-v2. */
const BALANCE_ACCOUNT = /^BA[0-9A-Z]{10,48}$/;

type SplitRequest = Pick<ChargeRequest | FollowUp, 'reference' | 'amountCents' | 'splits'>;

export interface AdyenSplit {
  readonly type: 'BalanceAccount';
  readonly account: string;
  readonly amount: { readonly value: number };
  readonly reference: string;
}

/**
 * `splits` of a payment, a capture or a refund. A part has the same reference in all of them: "Use the same reference values from the
 * original split" (https://docs.adyen.com/platforms/online-payments/split-refunds). Nothing without splits.
 *
 * @throws GatewayError before a request is sent
 */
export function splitsField(
  ctx: GatewayContext,
  { reference, amountCents, splits }: SplitRequest,
): { readonly splits?: readonly AdyenSplit[] } {
  if (splits.length === 0) return {};
  requireBalancePlatform(ctx);
  if (splits.some(({ liable, chargeProcessingFee }) => liable || chargeProcessingFee))
    throw new GatewayError('unsupported', 'the platform bears Adyen’s fees and chargebacks');
  const centsOf = sumByAccount(splits);
  const sum = [...centsOf.values()].reduce((total, cents) => total + cents, 0);
  if (sum !== amountCents) throw new GatewayError('invalid_request', 'the splits do not sum to the amount');
  const payment = toCompactReference(chargeReferenceOf(reference));
  return {
    splits: [...centsOf].map(([account, value]) => ({
      type: 'BalanceAccount',
      account,
      amount: { value },
      reference: `${payment}_${account}`,
    })),
  };
}

/** A refund may take nothing from a recipient. Two parts of one recipient are one, because a reference is unique. */
function sumByAccount(splits: readonly GatewaySplit[]): ReadonlyMap<string, number> {
  const centsOf = new Map<string, number>();
  for (const { recipientId, amountCents } of splits) {
    // Adyen checks the form only, and books a part of an unknown account to the platform.
    if (!BALANCE_ACCOUNT.test(recipientId))
      throw new GatewayError('invalid_request', 'a split names no balance account');
    if (amountCents > 0) centsOf.set(recipientId, (centsOf.get(recipientId) ?? 0) + amountCents);
  }
  return centsOf;
}

/**
 * Adyen takes splits of any account and books what it cannot assign to the platform, without an error
 * (https://docs.adyen.com/platforms/manage-liable-accounts). So the account's owner must say that it belongs to a balance platform.
 */
function requireBalancePlatform({ credentials }: GatewayContext): void {
  if ((credentials[BALANCE_PLATFORM] ?? '') !== '') return;
  throw new GatewayError('unsupported', `the credentials have no ${BALANCE_PLATFORM}`, null, 'splits');
}
