import { v5 } from 'uuid';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { PaymentMethod } from '../payments/payment';

/** The conditions of a rule. All of them must hold; a rule without conditions matches every payment. */
export interface RuleConditions {
  readonly paymentMethod?: PaymentMethod | undefined;
  /** Cents, inclusive. */
  readonly amountFromCents?: number | undefined;
  readonly amountToCents?: number | undefined;
  readonly currency?: string | undefined;
  readonly cardBrand?: string | undefined;
  /** Prefix of the card number, at most the six digits that are stored. */
  readonly binPrefix?: string | undefined;
  readonly installmentsFrom?: number | undefined;
}

export interface SplitShare {
  readonly gateway: GatewaySlug;
  /** The shares of a rule add up to 100. */
  readonly percent: number;
}

export type RuleTarget =
  | { readonly kind: 'list'; readonly gateways: readonly GatewaySlug[] }
  | { readonly kind: 'split'; readonly shares: readonly SplitShare[] };

/** A routing rule of a company (docs/decisions/gateways.md). */
export interface RoutingRule {
  readonly name: string;
  readonly when: RuleConditions;
  readonly target: RuleTarget;
}

/** A rule with its number, counted from 1. */
export interface MatchedRule extends RoutingRule {
  readonly number: number;
}

/** The fields of a payment that rules match. */
export interface RoutedPayment {
  readonly transactionId: string;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  /** 1 unless paid by card. */
  readonly installments: number;
  readonly card: { readonly brand: string; readonly first6Digits: string } | null;
}

/** The first rule that matches the payment, or null. */
export function matchRule(rules: readonly RoutingRule[], payment: RoutedPayment): MatchedRule | null {
  const index = rules.findIndex(({ when }) => matches(when, payment));
  const rule = rules[index];
  return rule === undefined ? null : { ...rule, number: index + 1 };
}

function matches(when: RuleConditions, payment: RoutedPayment): boolean {
  const { amountCents, card } = payment;
  const holds = [
    when.paymentMethod === undefined || when.paymentMethod === payment.paymentMethod,
    when.amountFromCents === undefined || amountCents >= when.amountFromCents,
    when.amountToCents === undefined || amountCents <= when.amountToCents,
    when.currency === undefined || when.currency === payment.currency,
    when.cardBrand === undefined || when.cardBrand === card?.brand,
    when.binPrefix === undefined || (card?.first6Digits.startsWith(when.binPrefix) ?? false),
    when.installmentsFrom === undefined || payment.installments >= when.installmentsFrom,
  ];
  return holds.every(Boolean);
}

/** A share of a split, and whether the payment was assigned to it at random or goes there only on failover. */
export interface DrawnShare extends SplitShare {
  readonly drawn: boolean;
}

/**
 * The shares in the order to try them: the randomly drawn one first, then by descending percentage. Pass only the shares
 * whose gateway supports the payment; they are weighted by their percentages.
 */
export function drawShares(shares: readonly SplitShare[], transactionId: string): DrawnShare[] {
  const drawn = drawOne(shares, transactionId);
  const others = shares.filter((share) => share !== drawn).sort((a, b) => b.percent - a.percent);
  return [
    ...(drawn === undefined ? [] : [{ ...drawn, drawn: true }]),
    ...others.map((share) => ({ ...share, drawn: false })),
  ];
}

function drawOne(shares: readonly SplitShare[], transactionId: string): SplitShare | undefined {
  const total = shares.reduce((sum, { percent }) => sum + percent, 0);
  const point = hashFraction(transactionId) * total;
  let cumulative = 0;
  return shares.find(({ percent }) => {
    cumulative += percent;
    return point < cumulative;
  });
}

const HASH_NAMESPACE = '6f1c2c8e-35a1-4c0b-9a35-0d6f5a2f7f4b';

/** A number in [0, 1), the same for every call with this payment and uniform over payments. */
function hashFraction(transactionId: string): number {
  return Number.parseInt(v5(transactionId, HASH_NAMESPACE).slice(0, 8), 16) / 2 ** 32;
}
