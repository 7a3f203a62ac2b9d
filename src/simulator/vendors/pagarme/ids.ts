const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const HEX = /^[0-9a-f]{32}$/;

/**
 * The digits that a charge of the core and its objects at Pagar.me share: ids need no index and survive a restart. Pagar.me's
 * own have 16 letters and digits (https://docs.pagar.me/reference/pedidos-1: `or_XXXXXXXXXXXXXXXX`).
 */
function digitsOf(chargeId: string): string {
  return chargeId.slice('ch_'.length).replaceAll('-', '');
}

const uuidOf = (digits: string): string => digits.replace(UUID_PARTS, '$1-$2-$3-$4-$5');

export const orderIdOf = (chargeId: string): string => `or_${digitsOf(chargeId)}`;
export const pagarmeChargeIdOf = (chargeId: string): string => `ch_${digitsOf(chargeId)}`;
export const itemIdOf = (chargeId: string, position: number): string =>
  `oi_${digitsOf(chargeId)}${position.toString(36)}`;

/** The id of the transaction that the operation at this position of a charge made. */
export const transactionIdOf = (chargeId: string, position: number): string =>
  `tran_${digitsOf(chargeId)}${position.toString(36)}`;

/** The number of a charge or transaction at the acquirer. */
export const gatewayIdOf = (chargeId: string, position = 0): string =>
  String(Number.parseInt(digitsOf(chargeId).slice(0, 8), 16) + position);

/** The core's id of an order or a charge; null if it is of another form. */
export function chargeIdOf(prefix: 'or' | 'ch', id: string): string | null {
  const digits = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  return HEX.test(digits) ? `ch_${uuidOf(digits)}` : null;
}

/** https://docs.pagar.me/reference/split-1: `rp_XXXXXXXXXXXXXXXX`. */
export const pagarmeRecipientIdOf = (recipientId: string): string =>
  `rp_${recipientId.slice('re_'.length).replaceAll('-', '')}`;

/** The core's id of a recipient; null if it is of another form. */
export function recipientIdOf(id: string): string | null {
  const digits = id.startsWith('rp_') ? id.slice('rp_'.length) : '';
  return HEX.test(digits) ? `re_${uuidOf(digits)}` : null;
}
