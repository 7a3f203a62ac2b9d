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
import { validationError } from '../../domain/shared/errors';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  CompanyConfigRepository,
  StoredLogo,
} from '../../persistence/companies/company-config-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { NoAnswer, type SafeFetch } from '../../security/safe-fetch';
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
  /** The config as the API shows it, which is also how the audit log tells what changed. */
  readonly present: (config: CompanyConfig) => AuditChanges;
  /** Has this process ask for the company anew. */
  readonly forget: (clientId: string) => void;
  readonly publicBaseUrl: string;
  readonly sandbox: boolean;
  readonly now: () => Date;
}

type Company = Pick<AuthenticatedCompany, 'id' | 'clientId'>;

/** What a config change does to the logo; undefined: nothing. */
type LogoChange = StoredLogo | null | undefined;

/** How a company wants its payments made and its pages to look. */
export class CompanyConfigs {
  constructor(private readonly deps: CompanyConfigsDeps) {}

  async show({ id }: Company): Promise<CompanyConfig> {
    return this.deps.companyConfigs.load(id);
  }

  /**
   * Changes what the request names. Payments made from now on go by it; one under way does from its next attempt.
   *
   * @throws ApiError `validation_error`: nothing is changed then
   */
  async change(company: Company, request: CompanyConfigRequest, actor: AuditActor): Promise<CompanyConfig> {
    const { db, companyConfigs, forget } = this.deps;
    const read = readCompanyConfigRequest(request, this.deps);
    if (!read.valid) throw validationError(read.errors);
    const { timezone, brand } = read.value;
    if (timezone !== undefined && !(await companyConfigs.knowsTimezone(timezone))) {
      throw validationError({ timezone: [TIMEZONE_RULE] });
    }
    const logo = await this.logoFor(company.id, brand.logoUrl);
    const changed = await db.inTransaction(async (tx) => {
      const before = await companyConfigs.lock(tx, company.id);
      const after = merge(before, read.value, logo);
      await this.save(tx, company, { before, after, logo }, actor);
      return after;
    });
    forget(company.clientId);
    return changed;
  }

  private async save(
    tx: Tx,
    { id: companyId, clientId }: Company,
    { before, after, logo }: { before: CompanyConfig; after: CompanyConfig; logo: LogoChange },
    { userId, requestId }: AuditActor,
  ): Promise<void> {
    const { audit, companyConfigs, now, present } = this.deps;
    const changes = changesBetween(present(before), present(after));
    if (Object.keys(changes).length === 0) return;
    await companyConfigs.save(tx, companyId, after, now());
    if (logo !== undefined) await companyConfigs.saveLogo(tx, companyId, logo, now());
    await audit.record(tx, {
      companyId,
      userId,
      action: 'config.update',
      subjectType: 'config',
      subjectId: clientId,
      changes,
      requestId,
    });
  }

  /** A config that is sent back as it was shown has its logo's address here, which stays. */
  private async logoFor(companyId: number, url: string | null | undefined): Promise<LogoChange> {
    if (url === undefined || url === null) return url;
    const { logo } = (await this.deps.companyConfigs.load(companyId)).brand;
    if (logo !== null && url === logoUrl(logo, this.deps.publicBaseUrl)) return undefined;
    return this.fetchLogo(url);
  }

  private async fetchLogo(sourceUrl: string): Promise<StoredLogo> {
    const bytes = await this.deps.safeFetch.download(sourceUrl, MAX_LOGO_BYTES).catch((error: unknown) => {
      throw error instanceof NoAnswer ? wrongLogo(`could not be fetched: ${error.message}`) : error;
    });
    const contentType = logoTypeOf(bytes);
    if (contentType === null) throw wrongLogo('must lead to a PNG, JPEG, GIF or WebP picture');
    const hash = createHash('sha256').update(bytes).digest('hex');
    return { hash, contentType, sourceUrl, bytes };
  }
}

function wrongLogo(problem: string) {
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
  };
}
