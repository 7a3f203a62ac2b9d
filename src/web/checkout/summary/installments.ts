import type { Schema } from '../../api/client';
import { money } from '../../ui/formats';
import { messages } from '../messages';
import type { Payment, Session } from '../session/session-api';

export type InstallmentOption = Schema<'InstallmentOption'>;

/** The session's option for this number of installments; null if it offers none. */
export function optionFor(
  { installment_options: options }: Session,
  installments: number,
): InstallmentOption | null {
  return options.find((option) => option.installments === installments) ?? null;
}

/** `3 × R$36.33, with interest · total R$108.99`; `R$100.00, in full` for one payment. */
export function optionLabel(option: InstallmentOption, currency: string): string {
  const { installments, amount, total, interest_amount: interest } = option;
  if (installments === 1) return messages.inFull(money(total, currency));
  const parts = messages.installment(installments, money(amount, currency));
  return `${parts} ${interest > 0 ? messages.withInterest : messages.noInterest} · ${messages.total(money(total, currency))}`;
}

/** What the label leaves out: the first installment if it differs, and how much the interest is. */
export function optionNotes(option: InstallmentOption, currency: string): readonly string[] {
  const { amount, first_amount: first, interest_amount: interest } = option;
  return [
    ...(first === amount ? [] : [messages.firstInstallment(money(first, currency))]),
    ...(interest === 0 ? [] : [messages.interestIncluded(money(interest, currency))]),
  ];
}

/** What was charged, with the installments if there are several. */
export function chargedLabel({ amount, currency, installments }: Payment, session: Session): string {
  const total = money(amount, currency);
  const option = optionFor(session, installments);
  if (installments === 1 || option === null) return total;
  return `${total} · ${messages.installment(installments, money(option.amount, currency))}`;
}
