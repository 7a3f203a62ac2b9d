const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const HEX = /^[0-9a-f]{32}$/;

/** The digits that a charge of the core and its Stripe objects share: ids need no index and survive a restart. */
function digitsOf(chargeId: string): string {
  return chargeId.slice('ch_'.length).replaceAll('-', '');
}

const uuidOf = (digits: string): string => digits.replace(UUID_PARTS, '$1-$2-$3-$4-$5');

export const intentIdOf = (chargeId: string): string => `pi_${digitsOf(chargeId)}`;
export const stripeChargeIdOf = (chargeId: string): string => `ch_${digitsOf(chargeId)}`;
/** A dispute's id is the core's without its hyphens. */
export const stripeDisputeIdOf = (disputeId: string): string => disputeId.replaceAll('-', '');

/** The core's id of a dispute; null if it is of another form. */
export function coreDisputeIdOf(id: string): string | null {
  const digits = id.startsWith('dp_') ? id.slice('dp_'.length) : '';
  return HEX.test(digits) ? `dp_${uuidOf(digits)}` : null;
}

export const disputeIdOf = (chargeId: string): string => `dp_${digitsOf(chargeId)}`;

/** The id of the refund that the operation at this position of a charge made. */
export const refundIdOf = (chargeId: string, position: number): string =>
  `re_${digitsOf(chargeId)}${position.toString(36)}`;

/** The core's id of a PaymentIntent or a charge; null if it is of another form. */
export function chargeIdOf(prefix: 'pi' | 'ch', id: string): string | null {
  const digits = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  return HEX.test(digits) ? `ch_${uuidOf(digits)}` : null;
}

export function refundedChargeOf(
  id: string,
): { readonly chargeId: string; readonly position: number } | null {
  const [, digits = '', position = ''] = /^re_([0-9a-f]{32})([0-9a-z]+)$/.exec(id) ?? [];
  return digits === '' ? null : { chargeId: `ch_${uuidOf(digits)}`, position: Number.parseInt(position, 36) };
}

/** A connected account is a recipient of the core. */
export const connectedAccountIdOf = (recipientId: string): string =>
  `acct_${recipientId.slice('re_'.length).replaceAll('-', '')}`;

export function recipientIdOf(accountId: string): string | null {
  const digits = accountId.startsWith('acct_') ? accountId.slice('acct_'.length) : '';
  return HEX.test(digits) ? `re_${uuidOf(digits)}` : null;
}
