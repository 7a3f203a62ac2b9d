import type { Schema } from '../../api/client';
import type { GatewaySlug } from '../payments/status-labels';

export type Rule = Schema<'RoutingRule'>;
export type Conditions = Schema<'RoutingRuleConditions'>;

/** A rule in the editor. It keeps both the gateway list and the split, so that switching between them loses nothing. */
export interface RuleForm {
  /** React key; rules are reordered. */
  readonly key: number;
  name: string;
  when: {
    payment_method: Conditions['payment_method'] | '';
    currency: string;
    amount_from: number | null;
    amount_to: number | null;
    card_brand: Conditions['card_brand'] | '';
    bin_prefix: string;
    installments_from: number | '';
  };
  kind: 'gateways' | 'split';
  gateways: GatewaySlug[];
  split: { gateway: GatewaySlug; percent: number | string }[];
}

let lastKey = 0;
const nextKey = (): number => (lastKey += 1);

export function formOf({ name, when = {}, gateways, split }: Rule): RuleForm {
  return {
    key: nextKey(),
    name,
    when: {
      payment_method: when.payment_method ?? '',
      currency: when.currency ?? '',
      amount_from: when.amount_from ?? null,
      amount_to: when.amount_to ?? null,
      card_brand: when.card_brand ?? '',
      bin_prefix: when.bin_prefix ?? '',
      installments_from: when.installments_from ?? '',
    },
    kind: split === undefined ? 'gateways' : 'split',
    gateways: gateways ?? [],
    split: split ?? [],
  };
}

export function newRule(name: string, gateway: GatewaySlug): RuleForm {
  return formOf({ name, gateways: [gateway] });
}

export function ruleOf({ name, when, kind, gateways, split }: RuleForm): Rule {
  const target =
    kind === 'gateways'
      ? { gateways }
      : { split: split.map(({ gateway, percent }) => ({ gateway, percent: Number(percent) })) };
  return { name, when: conditionsOf(when), ...target };
}

/** Leaves out empty conditions. */
function conditionsOf(when: RuleForm['when']): Conditions {
  const given = Object.entries(when).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(given);
}
