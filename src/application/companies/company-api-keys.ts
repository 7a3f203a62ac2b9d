import { MAX_API_KEYS, type ApiKey } from '../../domain/companies/api-key';
import type { ApiKeyScope } from '../../domain/companies/api-key-scope';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuditAction, AuditChanges } from '../../domain/companies/audit';
import type { UserCompany } from '../../domain/companies/user';
import { companyIdIn, type Mode } from '../../domain/shared/mode';
import { ApiError, notFound } from '../../domain/shared/errors';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { ApiKeyRepository } from '../../persistence/companies/api-key-repository';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { ApiKeys } from '../../security/api-keys';
import type { Creation } from '../shared/create-once';
import type { CompanyModes } from './company-modes';
import type { CompanyAuthenticator } from './authenticate-company';

export interface CompanyApiKeysDeps {
  readonly db: Database;
  readonly companyApiKeys: ApiKeyRepository;
  readonly audit: AuditRepository;
  readonly apiKeys: ApiKeys;
  readonly companyModes: CompanyModes;
  readonly authenticator: Pick<CompanyAuthenticator, 'invalidate'>;
}

/** A new key with the key itself, which is returned only once. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

export interface NewApiKeyRequest {
  readonly name: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Default: the mode of the request. */
  readonly mode?: Mode | undefined;
}

/** A company's API keys as its users see and change them. Every change is written to the audit log. */
export class CompanyApiKeys {
  constructor(private readonly deps: CompanyApiKeysDeps) {}

  /** The valid keys, newest first. */
  async list(companyId: number, page: PageRequest): Promise<Page<ApiKey>> {
    return this.deps.companyApiKeys.list(companyId, page);
  }

  /**
   * The creation throws ApiError `invalid_state` if the company has `MAX_API_KEYS` valid keys of the mode.
   *
   * @throws ApiError `validation_error` on `mode` if the deployment does not offer it
   */
  create(
    requestedBy: AuditActor,
    company: UserCompany,
    { name, scopes, mode = company.mode }: NewApiKeyRequest,
  ): Creation<CreatedApiKey> {
    const { companyApiKeys, apiKeys, companyModes } = this.deps;
    companyModes.assertOffered(mode, 'mode');
    const companyId = companyIdIn(mode, company);
    const actor = { ...requestedBy, companyId };
    const key = apiKeys.generate(mode);
    return async (tx) => {
      await companyModes.add(tx, company, mode);
      if ((await companyApiKeys.lockCount(tx, companyId)) >= MAX_API_KEYS) throw tooMany();
      const stored = { hash: apiKeys.hash(key), pepperId: apiKeys.pepperId };
      const apiKey = await companyApiKeys.insert(tx, { companyId, name: name.trim(), scopes, ...stored });
      await this.recordAudit(tx, actor, apiKey, 'api_key.create');
      return { apiKey, key };
    };
  }

  /**
   * Revokes a key: at once in this process, within five seconds in the others.
   *
   * @throws ApiError `not_found` if the company has no such valid key
   */
  async revoke(actor: AuditActor, { clientId }: UserCompany, id: number): Promise<void> {
    const { db, companyApiKeys, authenticator } = this.deps;
    await db.inTransaction(async (tx) => {
      const revoked = await companyApiKeys.revoke(tx, actor.companyId, id);
      if (revoked === null) throw notFound();
      await this.recordAudit(tx, actor, revoked, 'api_key.revoke');
    });
    authenticator.invalidate(clientId);
  }

  private async recordAudit(
    tx: Tx,
    actor: AuditActor,
    { id, name, scopes }: ApiKey,
    action: AuditAction,
  ): Promise<void> {
    const changes: AuditChanges = { name, scopes };
    const subject = { subjectType: 'api_key', subjectId: String(id) } as const;
    await this.deps.audit.insert(tx, { ...actor, ...subject, action, changes });
  }
}

function tooMany(): ApiError {
  return new ApiError(
    'invalid_state',
    `The company has ${MAX_API_KEYS} API keys of this mode. Revoke one first.`,
  );
}
