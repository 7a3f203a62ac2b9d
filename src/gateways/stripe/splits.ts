import { GatewayError } from '../errors';
import type { FollowUp, GatewayContext, GatewaySplit } from '../gateway';
import { get } from './calls';
import { intentReply } from './wire';

interface SplitAmount {
  readonly splits: readonly GatewaySplit[];
  readonly amountCents: number;
}

/**
 * A destination charge is one recipient's, and the platform pays Stripe's fees and the disputes:
 * https://docs.stripe.com/connect/destination-charges
 *
 * @throws GatewayError
 */
export function requireWholeSplit({ splits, amountCents }: SplitAmount): void {
  const [split, ...others] = splits;
  if (split === undefined) return;
  if (others.length > 0)
    throw new GatewayError('unsupported', 'this gateway pays one recipient of a payment');
  if (split.amountCents !== amountCents) {
    throw new GatewayError('invalid_request', 'the split is not the whole amount');
  }
  if (split.liable || split.chargeProcessingFee) {
    throw new GatewayError('unsupported', 'this gateway charges its fees and chargebacks to the platform');
  }
}

/**
 * The recipient is named when the payment is created, and no later request can change it.
 *
 * @throws GatewayError `invalid_request` if the charge is not its recipient's
 */
export async function requireRecipientOfCharge(
  ctx: GatewayContext,
  operation: Pick<FollowUp, 'gatewayTransactionId' | 'splits' | 'amountCents'>,
): Promise<void> {
  requireWholeSplit(operation);
  const [split] = operation.splits;
  if (split === undefined) return;
  const path = `payment_intents/${encodeURIComponent(operation.gatewayTransactionId)}`;
  const { transfer_data: transfer } = await readBefore(() => get(ctx, path, {}, intentReply));
  if (transfer?.destination === split.recipientId) return;
  throw new GatewayError('invalid_request', 'the payment was created for another recipient');
}

/** Nothing has been changed yet, so a lost answer is a failure. */
async function readBefore<Reply>(read: () => Promise<Reply>): Promise<Reply> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.family !== 'ambiguous') throw error;
    throw new GatewayError('not_sent', 'the gateway did not show the payment', error.code);
  }
}
