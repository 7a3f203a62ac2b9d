import type { Schema } from '../../api/client';

/** The installments of a checkout, as a link has them; null where the company's apply. */
export type InstallmentTerms = Pick<
  Schema<'PaymentLink'>,
  'max_installments' | 'min_installment_amount' | 'interest' | 'interest_rates'
>;

/** Named like the API's fields, so that API errors map to form fields. Empty where the company's terms apply. */
export interface InstallmentForm {
  max_installments: number | string;
  /** In cents. */
  min_installment_amount: number | null;
  interest: Schema<'InterestPayer'> | '';
  /** In percent, by number of installments; empty for one that is not offered. */
  interest_rates: Readonly<Record<number, number | string>>;
}

const BASIS_POINTS_PER_PERCENT = 100;

export function installmentFormOf(terms: InstallmentTerms): InstallmentForm {
  const rates = terms.interest_rates ?? [];
  return {
    max_installments: terms.max_installments ?? '',
    min_installment_amount: terms.min_installment_amount,
    interest: terms.interest ?? '',
    interest_rates: Object.fromEntries(
      rates.map(({ installments, basis_points: points }) => [
        installments,
        points / BASIS_POINTS_PER_PERCENT,
      ]),
    ),
  };
}

export function installmentTermsOf(form: InstallmentForm): InstallmentTerms {
  const rates = Object.entries(form.interest_rates).filter(([, percent]) => percent !== '');
  return {
    max_installments: form.max_installments === '' ? null : Number(form.max_installments),
    min_installment_amount: form.min_installment_amount,
    interest: form.interest === '' ? null : form.interest,
    interest_rates:
      rates.length === 0
        ? null
        : rates.map(([installments, percent]) => ({
            installments: Number(installments),
            basis_points: Math.round(Number(percent) * BASIS_POINTS_PER_PERCENT),
          })),
  };
}
