import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { ChargeStore, StoredCharge } from '../../charge-store';

const hexOf = (chargeId: string): string => chargeId.slice('ch_'.length).replaceAll('-', '');
const PAYMENT_DIGITS = 10;

/** The id of a charge's payment at Mercado Pago: a number of at most 13 digits, taken from the core's id so that it survives a restart. */
export const paymentIdOf = (chargeId: string): number =>
  Number.parseInt(hexOf(chargeId).slice(0, PAYMENT_DIGITS), 16);

/** The id of the refund that the operation at this position of a charge made. */
export const refundIdOf = (chargeId: string, position: number): number =>
  Number.parseInt(hexOf(chargeId).slice(-8), 16) + position;

export const chargebackIdOf = (chargeId: string): number =>
  Number.parseInt(hexOf(chargeId).slice(10, 22), 16);

/** The account that owns an access token, or that paid. */
export const userIdOf = (account: string): number =>
  account.startsWith('seller-')
    ? Number(account.slice('seller-'.length))
    : Number.parseInt(account.slice(0, 8), 16) || 1;

/** Charges by the ids of their payments. */
export class PaymentIndex {
  private readonly chargeIds = new Map<number, string>();

  constructor(private readonly store: ChargeStore) {}

  find(gateway: GatewaySlug, id: string | undefined): StoredCharge | null {
    const number = /^\d+$/.test(id ?? '') ? Number(id) : null;
    if (number === null) return null;
    if (!this.chargeIds.has(number)) {
      for (const charge of this.store.newestFirst(gateway)) {
        if (this.chargeIds.get(paymentIdOf(charge.id)) === charge.id) break;
        this.chargeIds.set(paymentIdOf(charge.id), charge.id);
      }
    }
    return this.store.find(gateway, this.chargeIds.get(number) ?? '');
  }
}
