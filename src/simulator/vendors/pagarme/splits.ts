import type { WireSplit } from '../../../gateways/simulator/wire';
import type { PagarmeObject } from './endpoint';
import { recipientIdOf } from './ids';
import type { SplitBody } from './parameters';

/**
 * The cents of each rule: https://docs.pagar.me/reference/split-1. A percentage is rounded down, and the rule with
 * `charge_remainder_fee` receives what is left; the first one if none has it.
 */
export function splitsOf(rules: readonly SplitBody[], amount: number): WireSplit[] {
  const parts = rules.map((rule) =>
    rule.type === 'flat' ? rule.amount : Math.floor((amount * rule.amount) / 100),
  );
  if (rules.length > 0 && rules.every(({ type }) => type === 'percentage')) {
    const rest = amount - parts.reduce((sum, part) => sum + part, 0);
    const marked = rules.findIndex(({ options }) => options.charge_remainder_fee);
    const receiver = Math.max(marked, 0);
    parts[receiver] = (parts[receiver] ?? 0) + rest;
  }
  return rules.map(({ recipient_id, options }, index) => ({
    recipient_id: recipientIdOf(recipient_id) ?? recipient_id,
    amount: parts[index] ?? 0,
    liable: options.liable,
    charge_processing_fee: options.charge_processing_fee,
  }));
}

/** What is wrong with the rules of a charge; null if nothing is. */
export function splitRulesProblem(rules: readonly SplitBody[], amount: number): string | null {
  if (rules.length === 0) return null;
  if (new Set(rules.map(({ type }) => type)).size > 1) return 'The split rules must have one type.';
  const sum = rules.reduce((total, rule) => total + rule.amount, 0);
  const isPercentage = rules[0]?.type === 'percentage';
  if (sum !== (isPercentage ? 100 : amount)) {
    return `The sum of the split rules must be ${isPercentage ? '100' : 'the amount of the payment'}.`;
  }
  // https://connect-stone.stone.com.br/reference/split-no-pedido: at least one recipient answers for each of the three.
  const duties = ['liable', 'charge_processing_fee', 'charge_remainder_fee'] as const;
  const missing = duties.find((duty) => !rules.some(({ options }) => options[duty]));
  return missing === undefined ? null : `At least one split rule must have ${missing}.`;
}

/** SDK 7.0.2: `getSplitResponse`, whose `charge_remainder_fee` is a text. */
export function splitsObject(rules: readonly SplitBody[]): PagarmeObject[] {
  return rules.map(({ type, amount, recipient_id, options }) => ({
    type,
    amount,
    recipient: { id: recipient_id },
    options: {
      liable: options.liable,
      charge_processing_fee: options.charge_processing_fee,
      charge_remainder_fee: String(options.charge_remainder_fee),
    },
  }));
}
