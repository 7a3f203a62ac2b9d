import { internationalPhone } from '../customers/phone';
import type { PaymentMethod } from '../payments/payment';
import type { PurchaseDetails } from '../shared/purchase-details';
import type { BillingAddress, CustomerSnapshot } from '../shared/payment-snapshot';

/** Optional properties of a payment request on which a gateway can insist, by their names in the API. */
export const REQUIRABLE_FIELDS = [
  'payer.ip',
  'payer.phone',
  'billing_address',
  'items',
  'return_url',
] as const;
export type RequirableField = (typeof REQUIRABLE_FIELDS)[number];

export interface DataRequirements {
  /** What a gateway insists on in a payment of each method. Nothing if omitted. */
  readonly requires?: Readonly<Partial<Record<PaymentMethod, readonly RequirableField[]>>>;
}

/** What a payment has. */
export interface DataOfPayment {
  readonly purchase: PurchaseDetails;
  readonly customer: Pick<CustomerSnapshot, 'phone' | 'address'>;
  readonly billingAddress: BillingAddress | null;
  readonly paymentMethod: PaymentMethod;
  readonly initiator: 'customer' | 'merchant';
}

/** Of a customer about whom nothing else is known. */
export const NO_CONTACT = { phone: null, address: null } as const;

/** The fields that a payment can give a gateway. */
export function givenFields(data: DataOfPayment): readonly RequirableField[] {
  return REQUIRABLE_FIELDS.filter((field) => isGiven(field, data));
}

/** In the form of E.164: the payer's phone, or else the customer's. Null if neither is one. */
export function payerPhone({
  purchase,
  customer,
}: Pick<DataOfPayment, 'purchase' | 'customer'>): string | null {
  const phones = [purchase.payer.phone, customer.phone];
  return phones.reduce<string | null>((found, phone) => found ?? (phone && internationalPhone(phone)), null);
}

/** The cardholder's address. A pix or boleto has no cardholder, so the customer's address stands in. */
export function payerAddress({
  billingAddress,
  customer,
  paymentMethod,
}: Pick<DataOfPayment, 'billingAddress' | 'customer' | 'paymentMethod'>): BillingAddress | null {
  return billingAddress ?? (paymentMethod === 'card' ? null : customer.address);
}

function isGiven(field: RequirableField, data: DataOfPayment): boolean {
  const { purchase, initiator } = data;
  switch (field) {
    case 'payer.ip':
      return purchase.payer.ip !== null;
    case 'payer.phone':
      return payerPhone(data) !== null;
    case 'billing_address':
      return payerAddress(data) !== null;
    case 'items':
      return purchase.items.length > 0;
    case 'return_url':
      // Nobody is there to be sent back.
      return purchase.returnUrl !== null || initiator === 'merchant';
  }
}

/** What a gateway insists on and a payment does not have. */
export function missingFields(
  { requires = {} }: DataRequirements,
  method: PaymentMethod,
  given: readonly RequirableField[],
): readonly RequirableField[] {
  return (requires[method] ?? []).filter((field) => !given.includes(field));
}

/** The gateway that misses the fewest fields of a payment, the first of several. Null if there is no gateway. */
export function leastMissing<G extends { readonly capabilities: DataRequirements }>(
  gateways: readonly G[],
  {
    paymentMethod,
    given,
  }: { readonly paymentMethod: PaymentMethod; readonly given: readonly RequirableField[] },
): { readonly gateway: G; readonly fields: readonly RequirableField[] } | null {
  const missing = gateways.map((gateway) => ({
    gateway,
    fields: missingFields(gateway.capabilities, paymentMethod, given),
  }));
  const [first, ...others] = missing;
  if (first === undefined) return null;
  return others.reduce((least, other) => (other.fields.length < least.fields.length ? other : least), first);
}

/** Why a gateway is passed over, after its name. */
export function describeMissingFields(fields: readonly RequirableField[]): string {
  return `needs ${fields.join(', ')}`;
}
