import { createdAnswer } from '../../domain/shared/http-answer';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { unavailable, validationError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import { checkSubAccountInformation, isAnswered } from '../../domain/routing/subaccount';
import type { SubAccountInformation } from '../../domain/routing/subaccount-information';
import { dateIn } from '../../domain/time/timezone';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type {
  IdempotencyRecord,
  IdempotencyRepository,
  KeyClaim,
} from '../../persistence/payments/idempotency-repository';
import type { SubAccountRef, SubAccountSummary } from '../../persistence/gateways/sub-account-repository';
import type { Database } from '../../persistence/sql/transaction';
import { requestHashes } from '../../security/request-hash';
import type { SecretKeys } from '../../security/secret-keys';
import {
  assertOffered,
  awaitRecipient,
  buildSubAccount,
  subAccountProblem,
  type RecipientRequest,
  type RequestRecipientsDeps,
} from './request-recipients';
import { keyReused } from '../shared/idempotency';

export interface CreateSubAccountDeps extends RequestRecipientsDeps {
  readonly db: Database;
  readonly idempotency: IdempotencyRepository;
  readonly registries: GatewayRegistries;
  readonly requestHashKeys: SecretKeys;
  readonly syncTimeoutMs: number;
  /** The response body, which is also recorded for the idempotency key. */
  readonly present: (subAccount: SubAccountSummary) => object;
}

export interface CreateSubAccountCommand {
  readonly company: AuthenticatedCompany;
  readonly idempotencyKey: string | null;
  readonly slug: GatewaySlug;
  readonly information: SubAccountInformation;
  readonly receivedAt: Date;
}

export interface SubAccountAnswer {
  readonly body: unknown;
  /** Whether this is the recorded answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

/**
 * Creates a sub-account at a gateway and waits for the gateway's answer. A refusal is stored as the sub-account's status.
 * The same information gives the same sub-account, with or without a key, unless the gateway refused it.
 *
 * The key is claimed in the transaction that inserts the sub-account, before the gateway is called. From then on it belongs
 * to this request, even after a 503, and a repeated request continues where this one stopped.
 *
 * @throws ApiError `validation_error`, `idempotency_key_reused`, `gateway_not_found`: nothing was created and the key
 *   stays free; `unavailable` if the gateway did not answer in time
 */
export class CreateSubAccount {
  constructor(private readonly deps: CreateSubAccountDeps) {}

  async execute(command: CreateSubAccountCommand): Promise<SubAccountAnswer> {
    const { company, receivedAt, slug } = command;
    const information = validatedInformation(command);
    const claim = this.claimOf(command, information);
    const record = claim && (await this.findRecord(claim));
    if (record !== null && record.responseStatus !== null) {
      return { body: record.responseBody, replayed: true };
    }

    const subAccount = record
      ? await this.resume(record)
      : await this.insert(company, { slug, information }, claim);
    // Another request claimed the key meanwhile.
    if (subAccount === null) return this.execute(command);

    const deadline = new Date(receivedAt.getTime() + this.deps.syncTimeoutMs);
    const { status } = await awaitRecipient(this.deps, subAccount, deadline);
    if (!isAnswered(status)) {
      throw unavailable(`${slug} has not confirmed the recipient. Send the same request again.`);
    }
    return { body: await this.answerOf(subAccount.id, claim), replayed: false };
  }

  /** The hash covers the canonical form, so differently formatted requests with the same information are equal. */
  private claimOf(
    { company, idempotencyKey, slug }: CreateSubAccountCommand,
    information: SubAccountInformation,
  ): KeyClaim | null {
    if (idempotencyKey === null) return null;
    const body = { gateway_slug: slug, subaccount_information: information };
    const hashes = requestHashes(this.deps.requestHashKeys, 'POST', '/sub-accounts', body);
    return { companyId: company.id, key: idempotencyKey, requestHashes: hashes };
  }

  private async findRecord(claim: KeyClaim): Promise<IdempotencyRecord | null> {
    const record = await this.deps.idempotency.find(claim.companyId, claim.key);
    if (record !== null && !claim.requestHashes.includes(record.requestHash)) throw keyReused();
    return record;
  }

  /** By id, not by information: if the gateway refused this sub-account meanwhile, the refusal is the key's answer. */
  private async resume({ subAccountId }: IdempotencyRecord): Promise<SubAccountRef> {
    if (subAccountId === null) throw new Error('the idempotency record has no sub-account');
    await this.deps.subAccounts.restart(subAccountId as SubAccountId);
    return this.deps.subAccounts.get(subAccountId as SubAccountId);
  }

  /** Null if another request claimed the key first; nothing was inserted. */
  private async insert(
    company: AuthenticatedCompany,
    request: RecipientRequest,
    claim: KeyClaim | null,
  ): Promise<SubAccountRef | null> {
    this.assertSupported(company.id, request.slug);
    const row = await buildSubAccount(this.deps, company, request);
    return this.deps.db.inTransaction(async (tx) => {
      if (claim !== null && !(await this.deps.idempotency.claim(tx, claim))) return null;
      const subAccount = await this.deps.subAccounts.insertOrRestart(row, tx);
      if (claim !== null) await this.deps.idempotency.setSubAccount(tx, claim, subAccount.id);
      return subAccount;
    });
  }

  private assertSupported(companyId: number, slug: GatewaySlug): void {
    const registry = this.deps.registries.of(companyId);
    assertOffered(registry, [slug]);
    const problem = subAccountProblem(registry, slug);
    if (problem !== null) throw validationError({ gateway_slug: [problem] });
  }

  /**
   * If several requests with one key run at once, all of them return the answer that was recorded first. A link to consent is not
   * recorded: it opens the page for anybody who has it, and the repeated request brings a new one.
   */
  private async answerOf(id: SubAccountId, claim: KeyClaim | null): Promise<unknown> {
    const subAccount = await this.deps.subAccounts.get(id);
    const body = this.deps.present(subAccount);
    if (claim === null || subAccount.consentUrl !== null) return body;
    const { companyId, key } = claim;
    await this.deps.db.inTransaction((tx) =>
      this.deps.idempotency.recordAnswer(tx, claim, createdAnswer(body)),
    );
    const record = await this.deps.idempotency.find(companyId, key);
    return record?.responseBody;
  }
}

function validatedInformation({
  company,
  information,
  receivedAt,
}: CreateSubAccountCommand): SubAccountInformation {
  const today = dateIn(company.timezone, receivedAt);
  const result = checkSubAccountInformation(information, today, 'subaccount_information');
  if (!result.valid) throw validationError(result.errors);
  return result.value;
}
