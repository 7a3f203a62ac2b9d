import { retryAdvice, stricter, type RetryAdvice, type RetryRule } from './advice-code';
import { networkOf, type CardNetwork } from './card-network';
import { ADVICE_DECIDES, DECLINE_CODES, type DeclineCode } from './decline-codes';

export const DECLINE_CLASSES = ['soft', 'hard', 'fraud', 'auth_required'] as const;
/**
 * The class of a decline. `soft` may be retried; `hard` is not retried automatically; `fraud` and `auth_required` need the
 * cardholder first.
 */
export type DeclineClass = (typeof DECLINE_CLASSES)[number];

/** Whether another gateway may approve the same card. */
export type Failover = 'another_gateway' | 'another_gateway_once' | 'none';

/** What an issuer answered. */
export interface DeclineFacts {
  /** The response code as the gateway sent it; null if it sent none. */
  readonly code: string | null;
  /** The card's brand; null if it is not known. */
  readonly brand: string | null;
  /** Mastercard's Merchant Advice Code; null if the network sent none. */
  readonly adviceCode: string | null;
  /** The class that the driver gave a decline without a code. With a code, the code decides. */
  readonly declineType?: DeclineClass | null;
}

export interface DeclineRule extends RetryAdvice {
  readonly class: DeclineClass;
  readonly failover: Failover;
}

/** A code that no network's list has is soft and allows no failover. */
const UNLISTED: DeclineCode = { message: 'declined', retry: {} };

/**
 * What the class of a decline without a code allows. A person may always ask for a retry: a gateway's own word is not a
 * network's prohibition. No class allows failover.
 */
const BY_CLASS: Readonly<Record<DeclineClass, { retry: RetryRule; needs?: DeclineCode['needs'] }>> = {
  soft: { retry: 'automatic' },
  hard: { retry: 'by_request' },
  fraud: { retry: 'by_request', needs: 'fraud_check' },
  auth_required: { retry: 'by_request', needs: 'authentication' },
};

/**
 * The rule of a decline by its code, the card's network and the network's advice. Where the sources contradict each other the
 * stricter one holds for automatic retries, and a person may still ask for one (docs/decisions/subscription-charges.md).
 */
export function declineRule(decline: DeclineFacts): DeclineRule {
  const { code, brand, adviceCode, declineType = null } = decline;
  if (code === null && declineType !== null) return ruleOfClass(declineType, adviceCode);
  const network = networkOf(brand);
  const key = normalizedCode({ code, brand });
  const listed = DECLINE_CODES[key] ?? UNLISTED;
  const advice = retryAdvice(adviceCode);
  const isAdviceAlone = network === 'mastercard' && ADVICE_DECIDES.has(key) && adviceCode !== null;
  const rule = isAdviceAlone ? advice : stricter(advice, { retry: retryByCode(listed, network), waitMs: 0 });
  const needs = key === MASTERCARD_FRAUD && network === 'mastercard' ? fraudNeeds(adviceCode) : listed.needs;
  return { ...rule, class: classOf(rule.retry, needs), failover: failoverOf(rule, listed) };
}

function ruleOfClass(declineType: DeclineClass, adviceCode: string | null): DeclineRule {
  const { retry, needs } = BY_CLASS[declineType];
  const rule = stricter(retryAdvice(adviceCode), { retry, waitMs: 0 });
  return { ...rule, class: classOf(rule.retry, needs), failover: 'none' };
}

/** With advice that allows a request, the cardholder must be authenticated first. */
const MASTERCARD_FRAUD = '83';

function fraudNeeds(adviceCode: string | null): DeclineCode['needs'] {
  return adviceCode === null ? 'fraud_check' : 'authentication';
}

/** What a response code means, for any network. */
export function declineMessage(code: string): string {
  return (DECLINE_CODES[normalizedCode({ code, brand: null })] ?? UNLISTED).message;
}

/** As the networks write it: some gateways send one digit without its zero. American Express has a code of one digit. */
export function normalizedCode({ code, brand }: Pick<DeclineFacts, 'code' | 'brand'>): string {
  const text = (code ?? '').trim().toUpperCase();
  const isComplete = text.length !== 1 || (networkOf(brand) === 'amex' && text in DECLINE_CODES);
  return isComplete ? text : `0${text}`;
}

/** For a network that does not list the code: what all others say, or only by request if they differ. */
function retryByCode({ retry }: DeclineCode, network: CardNetwork): RetryRule {
  const column = network === 'hipercard' ? 'mastercard' : network;
  const own = column === 'other' ? undefined : retry[column];
  if (own !== undefined) return own;
  const [first = 'automatic', ...others] = Object.values(retry);
  return others.every((other) => other === first) ? first : 'by_request';
}

function classOf(retry: RetryRule, needs: DeclineCode['needs']): DeclineClass {
  if (retry === 'automatic') return 'soft';
  if (retry === 'never' || needs === undefined) return 'hard';
  return needs === 'authentication' ? 'auth_required' : 'fraud';
}

/** The next gateway reaches the same issuer at once, so it is tried only if an automatic retry need not wait. */
function failoverOf({ retry, waitMs }: RetryAdvice, { failover }: DeclineCode): Failover {
  if (retry !== 'automatic' || waitMs > 0 || failover === undefined) return 'none';
  return failover === 'once' ? 'another_gateway_once' : 'another_gateway';
}
