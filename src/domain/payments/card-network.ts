/** The card networks with rules of their own. `other`: a network without published rules, or an unknown one. */
export const CARD_NETWORKS = ['visa', 'mastercard', 'elo', 'hipercard', 'amex', 'other'] as const;
export type CardNetwork = (typeof CARD_NETWORKS)[number];

/** Brands that follow another network's rules. */
const NETWORK_OF_BRAND: Readonly<Record<string, CardNetwork>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  maestro: 'mastercard',
  elo: 'elo',
  hipercard: 'hipercard',
  hiper: 'hipercard',
  amex: 'amex',
};

/** The network whose rules apply to cards of a brand; `other` without a card. */
export function networkOf(brand: string | null): CardNetwork {
  return NETWORK_OF_BRAND[brand ?? ''] ?? 'other';
}
