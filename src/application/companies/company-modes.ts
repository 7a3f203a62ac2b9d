import type { AuthenticatedCompany } from '../../domain/companies/company';
import { validationError } from '../../domain/shared/errors';
import type { Mode } from '../../domain/shared/mode';
import type { CompanyRepository } from '../../persistence/companies/company-repository';
import type { Tx } from '../../persistence/sql/transaction';

/** The modes in which a company can work in this deployment. */
export class CompanyModes {
  constructor(
    private readonly companies: Pick<CompanyRepository, 'addMode'>,
    /** The modes that the deployment offers. */
    private readonly offered: readonly Mode[],
  ) {}

  /** @throws ApiError `validation_error` on `field` */
  assertOffered(mode: Mode, field: string): void {
    if (this.offered.includes(mode)) return;
    throw validationError({
      [field]: [`must be ${this.offered.join(' or ')}: this deployment has no ${mode} mode`],
    });
  }

  /** Gives the company its row of the mode unless it has one. */
  async add(tx: Tx, company: Pick<AuthenticatedCompany, 'id' | 'mode'>, mode: Mode): Promise<void> {
    // Every company has the row of the deployment's own mode, under its own id.
    if (company.mode !== mode && company.id > 0) await this.companies.addMode(tx, company.id, mode);
  }
}
