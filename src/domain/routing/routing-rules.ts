import { v5 } from 'uuid';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { PaymentMethod } from '../payments/payment';

/** What a rule is for: every condition that is there must hold, so that a rule without any is for every payment. */
export interface RuleConditions {
  readonly paymentMethod?: PaymentMethod | undefined;
  /** Cents, inclusive. */
  readonly amountFromCents?: number | undefined;
  readonly amountToCents?: number | undefined;
  readonly currency?: string | undefined;
  readonly cardBrand?: string | undefined;
  /** Of the card's number, as much as is kept of it: at most six digits. */
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

/** Where a company wants some of its payments to go (decisions, section 6). */
export interface RoutingRule {
  readonly name: string;
  readonly when: RuleConditions;
  readonly target: RuleTarget;
}

/** A rule as people count them: from 1. */
export interface MatchedRule extends RoutingRule {
  readonly number: number;
}

/** What rules look at. */
export interface RoutedPayment {
  readonly transactionId: string;
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  /** 1 for what is not paid by card. */
  readonly installments: number;
  readonly card: { readonly brand: string; readonly first6Digits: string } | null;
}

/** The first rule that is for this payment decides; the others are as if they were not there. */
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

/** A gateway of a split, whether the payment was drawn for it or would only go there next. */
export interface DrawnShare extends SplitShare {
  readonly drawn: boolean;
}

/**
 * The shares in the order to try them: the one that the payment is drawn for, then the greater before the lesser. Only
 * shares whose gateway can carry the payment take part, in proportion: one that cannot leaves its part to all others.
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
  const whole = shares.reduce((sum, { percent }) => sum + percent, 0);
  const point = lotOf(transactionId) * whole;
  let passed = 0;
  return shares.find(({ percent }) => {
    passed += percent;
    return point < passed;
  });
}

const LOT_NAMESPACE = '6f1c2c8e-35a1-4c0b-9a35-0d6f5a2f7f4b';

/** From 0 up to and without 1: the same for a payment however often it is asked for, evenly spread over payments. */
function lotOf(transactionId: string): number {
  return Number.parseInt(v5(transactionId, LOT_NAMESPACE).slice(0, 8), 16) / 2 ** 32;
}
