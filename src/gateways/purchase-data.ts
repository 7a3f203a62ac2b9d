import type { ChargeOrigin, PurchaseItem } from '../domain/shared/purchase-details';

/** What is known about a purchase besides its amount and customer, for gateways that ask for it. */
export interface PurchaseData {
  /** The IPv4 or IPv6 address from which the customer buys; of a renewal, from which the customer subscribed. */
  readonly payerIp: string | null;
  /** In the form of E.164, for example `+5511912345678`; `brazilianPhone` has its parts. */
  readonly payerPhone: string | null;
  /** As the company describes it, or the name of the payment link or plan, or else `merchant_order_id`. At most 255 characters. */
  readonly description: string;
  /** At most 100. Their sum can differ from the amount, for example by shipping costs or a discount. */
  readonly items: readonly PurchaseItem[];
  /** Where the customer goes back to. */
  readonly returnUrl: string | null;
  readonly origin: ChargeOrigin;
}

export interface GatewayAddress {
  readonly street: string;
  readonly number: string;
  readonly complementary?: string | null;
  readonly neighborhood: string;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
  readonly country?: string | null;
}
