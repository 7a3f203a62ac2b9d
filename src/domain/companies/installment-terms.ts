import type { FieldErrorCollector } from '../shared/validation';

/** Who pays the interest of installments. */
export type InterestPayer = 'merchant' | 'buyer';

/** The interest of all installments together, in hundredths of a percent of the price: 899 adds 8.99%. */
export interface InterestRate {
  readonly installments: number;
  readonly basisPoints: number;
}

/** Which installments a checkout offers. */
export interface InstallmentTerms {
  /** 1 offers none. */
  readonly maxInstallments: number;
  /** The smallest installment, in cents. */
  readonly minInstallmentCents: number;
  readonly interest: InterestPayer;
  /** What a buyer who pays the interest pays. A number of installments without a rate is not offered. */
  readonly interestRates: readonly InterestRate[];
}

/** What a link or a session sets for itself; null where the company's terms apply. */
export type OwnInstallmentTerms = {
  readonly [Term in keyof InstallmentTerms]: InstallmentTerms[Term] | null;
};

/** The terms of a company that has set none. Installments below 5.00 cost Brazilian shops more in fees than they bring. */
export const DEFAULT_INSTALLMENT_TERMS: InstallmentTerms = {
  maxInstallments: 12,
  minInstallmentCents: 500,
  interest: 'merchant',
  interestRates: [],
};

export const NO_OWN_INSTALLMENT_TERMS: OwnInstallmentTerms = {
  maxInstallments: null,
  minInstallmentCents: null,
  interest: null,
  interestRates: null,
};

/** The terms that apply: the own ones, and the company's where there are none. */
export function effectiveTerms(own: OwnInstallmentTerms, company: InstallmentTerms): InstallmentTerms {
  return {
    maxInstallments: own.maxInstallments ?? company.maxInstallments,
    minInstallmentCents: own.minInstallmentCents ?? company.minInstallmentCents,
    interest: own.interest ?? company.interest,
    interestRates: own.interestRates ?? company.interestRates,
  };
}

/** Validates the terms that apply. Error names are the API's. */
export function addInstallmentTermErrors(
  { interest, interestRates }: Pick<InstallmentTerms, 'interest' | 'interestRates'>,
  errors: FieldErrorCollector,
): void {
  if (interest === 'buyer' && interestRates.length === 0) {
    errors.add('interest_rates', 'is required when interest is buyer');
  }
  interestRates.forEach(({ installments }, index) => {
    const first = interestRates.findIndex((rate) => rate.installments === installments);
    if (first < index) errors.add(`interest_rates.${index}.installments`, 'is named twice');
  });
}
