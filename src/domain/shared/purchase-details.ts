/** What a company or a checkout tells about a purchase, for gateways that ask for it. All of it is stored as personal data. */
export interface PurchaseDetails {
  readonly payer: Payer;
  readonly description: string | null;
  readonly items: readonly PurchaseItem[];
  /** Where a gateway sends the customer back to. */
  readonly returnUrl: string | null;
}

export interface Payer {
  /** The IPv4 or IPv6 address from which the customer buys; of a renewal, from which the customer subscribed. */
  readonly ip: string | null;
  /** As it was entered. */
  readonly phone: string | null;
}

export interface PurchaseItem {
  readonly name: string;
  readonly quantity: number;
  /** The price of one, in cents of the payment's currency. */
  readonly unitCents: number;
}

export const UNKNOWN_PAYER: Payer = { ip: null, phone: null };
export const NO_PURCHASE_DETAILS: PurchaseDetails = {
  payer: UNKNOWN_PAYER,
  description: null,
  items: [],
  returnUrl: null,
};

/** What is known of a payer after a request that may tell a part of it, or nothing. */
export function knownPayer(before: Payer, told: Payer = UNKNOWN_PAYER): Payer {
  return { ip: told.ip ?? before.ip, phone: told.phone ?? before.phone };
}

/** Where a charge comes from: a request of the API, a checkout page (of a payment link or a session), or a subscription. */
export const CHARGE_ORIGINS = ['api', 'link', 'subscription'] as const;
export type ChargeOrigin = (typeof CHARGE_ORIGINS)[number];

export function chargeOrigin({
  subscriptionId,
  checkoutSessionId,
}: {
  readonly subscriptionId: string | null;
  readonly checkoutSessionId: number | null;
}): ChargeOrigin {
  if (subscriptionId !== null) return 'subscription';
  return checkoutSessionId === null ? 'api' : 'link';
}
