import { money } from '../../ui/formats';
import { methodLabels } from '../payments/status-labels';
import type { Rule } from './rule-form';
import { messages } from './simulator-messages';

/** A rule in one sentence: `Card payments by visa from R$ 500.00: first gateway_2, then gateway_1.` */
export function ruleSummary({ when = {}, gateways = [], split }: Rule): string {
  const { payment_method: method, card_brand: brand, bin_prefix: bin, currency } = when;
  const amount = (cents: number) => money(cents, currency ?? null);
  const conditions = [
    brand === undefined ? null : messages.ofBrand(brand),
    bin === undefined ? null : messages.ofBin(bin),
    currency === undefined ? null : messages.inCurrency(currency),
    amountText(when, amount),
    when.installments_from === undefined ? null : messages.installmentsFrom(when.installments_from),
  ];
  const which = conditions.filter((text) => text !== null).join(', ');
  const payments = method === undefined ? messages.allPayments : messages.paymentsBy(methodLabels[method]);
  const target =
    split === undefined
      ? messages.inOrder(gateways)
      : messages.divided(split.map(({ gateway, percent }) => `${percent}% ${gateway}`));
  return `${which === '' ? payments : `${payments} ${which}`}: ${target}`;
}

function amountText(
  { amount_from: from, amount_to: to }: NonNullable<Rule['when']>,
  amount: (cents: number) => string,
): string | null {
  if (from !== undefined && to !== undefined) return messages.between(amount(from), amount(to));
  if (from !== undefined) return messages.from(amount(from));
  return to === undefined ? null : messages.upTo(amount(to));
}
