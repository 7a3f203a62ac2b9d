const UUID_PARTS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const PAYMENT_ID = /^pay_([0-9a-f]{32})([2-9a-l]?)$/;

const digitsOf = (uuid: string): string => uuid.replaceAll('-', '');
const uuidOf = (digits: string): string => digits.replace(UUID_PARTS, '$1-$2-$3-$4-$5');

/** Its own inverse: a second id for the same thing needs no index. */
const reversed = (uuid: string): string => uuidOf([...digitsOf(uuid)].reverse().join(''));

/**
 * The payment of one installment of a charge. Ids need no index and survive a restart. Asaas' own have 16 letters and digits
 * (recorded `card-approved`: `pay_goqlln9ijobkq74x`).
 */
export function paymentIdOf(chargeId: string, part: number): string {
  return `pay_${digitsOf(chargeId.slice('ch_'.length))}${part === 1 ? '' : part.toString(36)}`;
}

/** The core's charge and the installment of a payment; null if the id has another form. */
export function placeOf(paymentId: string): { readonly chargeId: string; readonly part: number } | null {
  const [, digits, part = ''] = PAYMENT_ID.exec(paymentId) ?? [];
  if (digits === undefined) return null;
  return { chargeId: `ch_${uuidOf(digits)}`, part: part === '' ? 1 : Number.parseInt(part, 36) };
}

export const installmentIdOf = (chargeId: string): string => chargeId.slice('ch_'.length);
export const chargeOfInstallment = (installmentId: string): string => `ch_${installmentId}`;

export const pixTransactionIdOf = (chargeId: string): string => reversed(installmentIdOf(chargeId));
export const chargeOfPixTransaction = (id: string): string => `ch_${reversed(id)}`;

/** A number with as many digits as wanted, of what Asaas numbers for itself. */
export function numberOf(chargeId: string, length: number): string {
  const number = BigInt(`0x${digitsOf(installmentIdOf(chargeId))}`) % 10n ** BigInt(length);
  return number.toString().padStart(length, '0');
}

export const recipientOfWallet = (walletId: string): string => `re_${walletId}`;

/** The wallet of the account that a secret key belongs to. */
export const ownWalletOf = (account: string): string => uuidOf(account);

export const walletIdOf = (recipientId: string): string => recipientId.slice('re_'.length);
export const subaccountIdOf = (recipientId: string): string => reversed(walletIdOf(recipientId));
export const recipientOfSubaccount = (id: string): string => recipientOfWallet(reversed(id));
