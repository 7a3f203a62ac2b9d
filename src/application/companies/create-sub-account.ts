import type { AuthenticatedCompany } from '../../domain/companies/company';
import { ApiError, unavailable, validationError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import { checkSubAccountInformation, isAnswered } from '../../domain/routing/subaccount';
import type { SubAccountInformation } from '../../domain/routing/subaccount-information';
import { dateIn } from '../../domain/time/timezone';
import type { GatewayRegistry } from '../../gateways/registry';
import type {
  IdempotencyRecord,
  IdempotencyRepository,
  KeyClaim,
} from '../../persistence/payments/idempotency-repository';
import type { SubAccountRef, SubAccountSummary } from '../../persistence/gateways/sub-account-repository';
import type { Database } from '../../persistence/sql/transaction';
import { requestHash } from '../../security/request-hash';
import {
  awaitRecipient,
  describeSubAccount,
  type RecipientRequest,
  type RequestRecipientsDeps,
} from './request-recipients';

export interface CreateSubAccountDeps extends RequestRecipientsDeps {
  readonly db: Database;
  readonly idempotency: IdempotencyRepository;
  readonly registry: GatewayRegistry;
  readonly requestHashKey: string;
  readonly syncTimeoutMs: number;
  /** The answer to give, and to keep for the key. */
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
  readonly answer: unknown;
  /** Whether it is the recorded answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

/**
 * Makes a sub-account at a gateway and waits for the gateway's word, which may be a refusal: the sub-account then says
 * so. The same information again is the same sub-account, with or without a key, unless it was refused.
 *
 * A key is claimed together with the row it names, before the gateway hears of it: from then on it stands for this
 * request, also through a 503, and a repetition goes on where this one left off.
 *
 * @throws ApiError `validation_error`, `idempotency_key_reused`, `gateway_not_found`: nothing was created and the key is
 *   free; `unavailable` when the gateway gave no word in time
 */
export class CreateSubAccount {
  constructor(private readonly deps: CreateSubAccountDeps) {}

  async execute(command: CreateSubAccountCommand): Promise<SubAccountAnswer> {
    const { company, receivedAt, slug } = command;
    const information = checked(command);
    const claim = this.claimOf(command, information);
    const known = claim && (await this.findKnown(claim));
    if (known !== null && known.responseStatus !== null)
      return { answer: known.responseBody, replayed: true };

    const subAccount = known
      ? await this.takeUp(known)
      : await this.request(company, { slug, information }, claim);
    // Another request has claimed the key meanwhile.
    if (subAccount === null) return this.execute(command);

    const deadline = new Date(receivedAt.getTime() + this.deps.syncTimeoutMs);
    const { status } = await awaitRecipient(this.deps, subAccount, deadline);
    if (!isAnswered(status)) {
      throw unavailable(`${slug} has not confirmed the recipient. Send the same request again.`);
    }
    return { answer: await this.answerOf(subAccount.id, claim), replayed: false };
  }

  /** The hash is of the canonical form: the same information is the same request, however it is written. */
  private claimOf(
    { company, idempotencyKey, slug }: CreateSubAccountCommand,
    information: SubAccountInformation,
  ): KeyClaim | null {
    if (idempotencyKey === null) return null;
    const body = { gateway_slug: slug, subaccount_information: information };
    const hash = requestHash(this.deps.requestHashKey, 'POST', '/sub-accounts', body);
    return { companyId: company.id, key: idempotencyKey, requestHash: hash };
  }

  private async findKnown(claim: KeyClaim): Promise<IdempotencyRecord | null> {
    const record = await this.deps.idempotency.find(claim.companyId, claim.key);
    if (record !== null && record.requestHash !== claim.requestHash) {
      throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
    }
    return record;
  }

  /** By its id, not by its information: what the gateway refused meanwhile stays this key's answer. */
  private async takeUp({ subAccountId }: IdempotencyRecord): Promise<SubAccountRef> {
    if (subAccountId === null) throw new Error('a key of this operation names a sub-account');
    await this.deps.subAccounts.takeUp(subAccountId as SubAccountId);
    return this.deps.subAccounts.get(subAccountId as SubAccountId);
  }

  /** Null when the key was taken in the same moment; nothing was inserted then. */
  private async request(
    company: AuthenticatedCompany,
    request: RecipientRequest,
    claim: KeyClaim | null,
  ): Promise<SubAccountRef | null> {
    this.assertOffered(request.slug);
    const row = await describeSubAccount(this.deps, company, request);
    return this.deps.db.inTransaction(async (tx) => {
      if (claim !== null && !(await this.deps.idempotency.claim(tx, claim))) return null;
      const subAccount = await this.deps.subAccounts.request(row, tx);
      if (claim !== null) await this.deps.idempotency.nameSubAccount(tx, claim, subAccount.id);
      return subAccount;
    });
  }

  private assertOffered(slug: GatewaySlug): void {
    const { registry } = this.deps;
    if (!registry.offered(slug)) {
      throw new ApiError('gateway_not_found', `Not found or inactive: ${slug}. Nothing was saved.`);
    }
    if (!registry.capabilities(slug).subAccounts) {
      throw validationError({ gateway_slug: [`${slug} makes no sub-accounts`] });
    }
  }

  /** Of several answers to one key the first to be recorded stands, and all of them give it. */
  private async answerOf(id: SubAccountId, claim: KeyClaim | null): Promise<unknown> {
    const body = this.deps.present(await this.deps.subAccounts.get(id));
    if (claim === null) return body;
    const { companyId, key } = claim;
    await this.deps.db.inTransaction((tx) =>
      this.deps.idempotency.recordAnswer(tx, { companyId, key, status: 201, body }),
    );
    const record = await this.deps.idempotency.find(companyId, key);
    return record?.responseBody;
  }
}

function checked({ company, information, receivedAt }: CreateSubAccountCommand): SubAccountInformation {
  const today = dateIn(company.timezone, receivedAt);
  const result = checkSubAccountInformation(information, today, 'subaccount_information');
  if (!result.valid) throw validationError(result.errors);
  return result.value;
}
