import { createHash } from 'node:crypto';
import type { AuditActor } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditChanges } from '../../domain/companies/audit';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import {
  logoTypeOf,
  logoUrl,
  MAX_LOGO_BYTES,
  type CompanyConfig,
} from '../../domain/companies/company-config';
import {
  addInstallmentTermErrors,
  effectiveTerms,
  NO_OWN_INSTALLMENT_TERMS,
} from '../../domain/companies/installment-terms';
import { applyChange } from '../../domain/shared/change';
import { validationError } from '../../domain/shared/errors';
import { FieldErrorCollector } from '../../domain/shared/validation';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  CompanyConfigRepository,
  StoredLogo,
} from '../../persistence/companies/company-config-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { RequestFailed, type SafeFetch } from '../../security/safe-fetch';
import {
  readCompanyConfigRequest,
  TIMEZONE_RULE,
  type CompanyConfigChange,
  type CompanyConfigRequest,
} from './company-config-request';

export interface CompanyConfigsDeps {
  readonly db: Database;
  readonly companyConfigs: CompanyConfigRepository;
  readonly audit: AuditRepository;
  readonly safeFetch: Pick<SafeFetch, 'download'>;
  /** The config with the API's field names, which the audit log uses for its changes. */
  readonly present: (config: CompanyConfig) => AuditChanges;
  /** Makes this process read the company again at its next request. */
  readonly invalidateCache: (clientId: string) => void;
  readonly publicBaseUrl: string;
  readonly sandbox: boolean;
  readonly now: () => Date;
}

type CompanyIds = Pick<AuthenticatedCompany, 'id' | 'clientId'>;

/** A new logo; null removes the logo, undefined keeps it. */
type LogoChange = StoredLogo | null | undefined;

/** A company's settings for its payments and pages. */
export class CompanyConfigs {
  constructor(private readonly deps: CompanyConfigsDeps) {}

  async get({ id }: CompanyIds): Promise<CompanyConfig> {
    return this.deps.companyConfigs.get(id);
  }

  /**
   * Changes the fields in the request. New payments use the changed config; a payment in progress uses it from its next
   * attempt.
   *
   * @throws ApiError `validation_error`: nothing was changed
   */
  async change(
    company: CompanyIds,
    request: CompanyConfigRequest,
    actor: AuditActor,
  ): Promise<CompanyConfig> {
    const { db, companyConfigs, invalidateCache } = this.deps;
    const read = readCompanyConfigRequest(request, this.deps);
    if (!read.valid) throw validationError(read.errors);
    const { timezone, brand } = read.value;
    // Postgres has its own time zone database, which may differ from Node's.
    if (timezone !== undefined && !(await companyConfigs.isKnownTimezone(timezone))) {
      throw validationError({ timezone: [TIMEZONE_RULE] });
    }
    const logo = await this.logoFor(company.id, brand.logoUrl);
    const changed = await db.inTransaction(async (tx) => {
      const before = await companyConfigs.lock(tx, company.id);
      const after = merge(before, read.value, logo);
      assertInstallmentTerms(after);
      await this.save(tx, company, { before, after, logo }, actor);
      return after;
    });
    invalidateCache(company.clientId);
    return changed;
  }

  private async save(
    tx: Tx,
    { id: companyId, clientId }: CompanyIds,
    { before, after, logo }: { before: CompanyConfig; after: CompanyConfig; logo: LogoChange },
    { userId, requestId }: AuditActor,
  ): Promise<void> {
    const { audit, companyConfigs, now, present } = this.deps;
    const changes = changesBetween(present(before), present(after));
    if (Object.keys(changes).length === 0) return;
    await companyConfigs.save(tx, companyId, after, now());
    if (logo !== undefined) await companyConfigs.saveLogo(tx, companyId, logo, now());
    await audit.insert(tx, {
      companyId,
      userId,
      action: 'config.update',
      subjectType: 'config',
      subjectId: clientId,
      changes,
      requestId,
    });
  }

  /** A client may send back a config as it was returned: then the URL is that of the stored logo, which stays. */
  private async logoFor(companyId: number, url: string | null | undefined): Promise<LogoChange> {
    if (url === undefined || url === null) return url;
    const { logo } = (await this.deps.companyConfigs.get(companyId)).brand;
    if (logo !== null && url === logoUrl(logo, this.deps.publicBaseUrl)) return undefined;
    return this.fetchLogo(url);
  }

  private async fetchLogo(sourceUrl: string): Promise<StoredLogo> {
    const bytes = await this.deps.safeFetch.download(sourceUrl, MAX_LOGO_BYTES).catch((error: unknown) => {
      throw error instanceof RequestFailed ? logoError(`could not be fetched: ${error.message}`) : error;
    });
    const contentType = logoTypeOf(bytes);
    if (contentType === null) throw logoError('must lead to a PNG, JPEG, GIF or WebP picture');
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { hash, contentType, sourceUrl, bytes };
  }
}

/** @throws ApiError `validation_error` on `interest_rates` */
function assertInstallmentTerms({ installments }: CompanyConfig): void {
  const errors = new FieldErrorCollector();
  addInstallmentTermErrors(installments, errors);
  if (errors.hasErrors) throw validationError(errors.errors);
}

function logoError(problem: string) {
  return validationError({ 'brand.logo_url': [problem] });
}

function merge(config: CompanyConfig, change: CompanyConfigChange, logo: LogoChange): CompanyConfig {
  const { brand } = config;
  return {
    timezone: change.timezone ?? config.timezone,
    dunningDays: change.dunningDays ?? config.dunningDays,
    routingRules: change.routingRules ?? config.routingRules,
    pixExpiresInSeconds: change.pixExpiresInSeconds ?? config.pixExpiresInSeconds,
    billetDueDays: change.billetDueDays ?? config.billetDueDays,
    brand: {
      name: change.brand.name === undefined ? brand.name : change.brand.name,
      logo: logo === undefined ? brand.logo : logo,
      color: change.brand.color === undefined ? brand.color : change.brand.color,
    },
    checkoutFrameOrigins: change.checkoutFrameOrigins ?? config.checkoutFrameOrigins,
    pauseSubscription: change.pauseSubscription ?? config.pauseSubscription,
    sendsReceipts: change.sendsReceipts ?? config.sendsReceipts,
    installments: effectiveTerms(
      applyChange(NO_OWN_INSTALLMENT_TERMS, change.installments),
      config.installments,
    ),
  };
}
