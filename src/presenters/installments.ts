import type { InstallmentOption } from '../domain/checkout/installment-options';
import type { InstallmentTerms, OwnInstallmentTerms } from '../domain/companies/installment-terms';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];
type TermNames = 'max_installments' | 'min_installment_amount' | 'interest' | 'interest_rates';

/** A company's terms, or those that a link sets itself, null where the company's apply. */
export function presentInstallmentTerms(terms: InstallmentTerms): Pick<Schemas['CompanyConfig'], TermNames>;
export function presentInstallmentTerms(terms: OwnInstallmentTerms): Pick<Schemas['PaymentLink'], TermNames>;
export function presentInstallmentTerms(terms: OwnInstallmentTerms): Pick<Schemas['PaymentLink'], TermNames> {
  return {
    max_installments: terms.maxInstallments,
    min_installment_amount: terms.minInstallmentCents,
    interest: terms.interest,
    interest_rates:
      terms.interestRates &&
      terms.interestRates.map(({ installments, basisPoints }) => ({
        installments,
        basis_points: basisPoints,
      })),
  };
}

export function presentInstallmentOption(option: InstallmentOption): Schemas['InstallmentOption'] {
  return {
    installments: option.installments,
    amount: option.amountCents,
    first_amount: option.firstCents,
    total: option.totalCents,
    interest_amount: option.interestCents,
  };
}
