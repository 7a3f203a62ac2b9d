import type { InterestPayer, OwnInstallmentTerms } from '../../domain/companies/installment-terms';
import type { Change } from '../../domain/shared/change';

/** The installment terms in a request, already validated against openapi.yaml. Null resets a term to the company's. */
export interface InstallmentTermsRequest {
  readonly max_installments?: number | null | undefined;
  readonly min_installment_amount?: number | null | undefined;
  readonly interest?: InterestPayer | null | undefined;
  readonly interest_rates?:
    | ReadonlyArray<{ readonly installments: number; readonly basis_points: number }>
    | null
    | undefined;
}

/** The terms that a request changes; undefined where it says nothing. */
export function readInstallmentTerms(request: InstallmentTermsRequest): Change<OwnInstallmentTerms> {
  return {
    maxInstallments: request.max_installments,
    minInstallmentCents: request.min_installment_amount,
    interest: request.interest,
    interestRates:
      request.interest_rates?.map(({ installments, basis_points: basisPoints }) => ({
        installments,
        basisPoints,
      })) ?? (request.interest_rates as null | undefined),
  };
}
