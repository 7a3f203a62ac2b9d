/**
 * Who initiates a card charge, and why: the card networks demand both of every charge (Visa's stored credential framework,
 * Mastercard's transaction initiator indicator).
 */
export type ChargeInitiation = CustomerInitiation | MerchantInitiation;

/** The customer takes part in the purchase. */
export interface CustomerInitiation {
  readonly initiator: 'customer';
  readonly reason: CustomerReason;
}

/** The customer agreed earlier and does not take part. */
export interface MerchantInitiation {
  readonly initiator: 'merchant';
  readonly reason: MerchantReason;
  /** Of the transaction in which the customer agreed; null if no gateway returned any. */
  readonly networkIds: NetworkIds | null;
}

/**
 * `one_off`: the card is not kept; `first_saved`: the card is saved for later charges; `first_recurring`: the charge begins a
 * series; `saved_card`: the customer pays with a card saved earlier.
 */
export const CUSTOMER_REASONS = ['one_off', 'first_saved', 'first_recurring', 'saved_card'] as const;
export type CustomerReason = (typeof CUSTOMER_REASONS)[number];

/** `recurring`: a later charge of a series; `unscheduled`: a company charges a saved card on no schedule. */
export const MERCHANT_REASONS = ['recurring', 'unscheduled'] as const;
export type MerchantReason = (typeof MERCHANT_REASONS)[number];

/**
 * The ids by which a network links later charges of a card to the transaction in which its holder agreed to them. They are
 * the network's and not a gateway's, so another gateway accepts them.
 */
export interface NetworkIds {
  /** Visa and Amex: transaction identifier. Mastercard: trace id. Also returned for Elo. */
  readonly transactionId: string | null;
  /** Mastercard's Transaction Link Identifier (TLID). */
  readonly transactionLinkId: string | null;
  /** Elo's reference number of the series (NRID). */
  readonly eloReference: string | null;
}

/** What a one-off payment is charged to. */
export type ChargedMethod =
  | { readonly kind: 'paid_later' }
  | { readonly kind: 'raw_card'; readonly isSaved: boolean }
  | {
      readonly kind: 'saved_card';
      readonly initiator: ChargeInitiation['initiator'];
      readonly networkIds: NetworkIds | null;
    };

export function initiationOfPayment(method: ChargedMethod): ChargeInitiation {
  switch (method.kind) {
    case 'paid_later':
      return { initiator: 'customer', reason: 'one_off' };
    case 'raw_card':
      return { initiator: 'customer', reason: method.isSaved ? 'first_saved' : 'one_off' };
    case 'saved_card': {
      const { initiator, networkIds } = method;
      return initiator === 'customer'
        ? { initiator, reason: 'saved_card' }
        : { initiator, reason: 'unscheduled', networkIds };
    }
  }
}

/**
 * A series is established once a charge or a verification of its card was approved. Until then, every charge is another
 * attempt at the transaction in which the customer agreed: networks accept no later charge of a series that was not.
 */
export function initiationOfSeries(series: {
  readonly isEstablished: boolean;
  readonly networkIds: NetworkIds | null;
}): ChargeInitiation {
  const { isEstablished, networkIds } = series;
  return isEstablished
    ? { initiator: 'merchant', reason: 'recurring', networkIds }
    : { initiator: 'customer', reason: 'first_recurring' };
}
