import type { AuthenticatedCompany } from '../../domain/companies/company';
import { maskDocument } from '../../domain/customers/document';
import { wholeTo } from '../../domain/payments/split';
import { ApiError, unavailable } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newSubAccountId, type SubAccountId } from '../../domain/shared/ids';
import { isAnswered, type SubAccountStatus } from '../../domain/routing/subaccount';
import { describeSplitLimit, splitLimit } from '../../domain/routing/split-support';
import type { SubAccountInformation } from '../../domain/routing/subaccount-information';
import type { GatewayRegistry } from '../../gateways/registry';
import type {
  NewSubAccount,
  SubAccountRef,
  SubAccountRepository,
} from '../../persistence/gateways/sub-account-repository';
import type { EnvelopeCipher } from '../../security/envelope';
import { keyedHash } from '../../security/keyed-hash';
import { byEachKey, type KeyedValues, type SecretKeys } from '../../security/secret-keys';
import { encryptionContext } from '../../security/encryption-context';
import type { RecipientWorkflows } from '../../temporal/recipients';

export interface RequestRecipientsDeps {
  readonly subAccounts: SubAccountRepository;
  readonly recipients: RecipientWorkflows;
  readonly envelope: EnvelopeCipher;
  /** HMAC keys of the hash by which the same information is recognized. */
  readonly fingerprintKeys: SecretKeys;
}

export interface RecipientRequest {
  readonly slug: GatewaySlug;
  /** Canonical, as `checkSubAccountInformation` returns it. */
  readonly information: SubAccountInformation;
}

/**
 * Creates recipients at gateways and waits for every gateway's answer. The same information gives the same recipient, even
 * if several requests ask for it at once.
 *
 * @throws ApiError `gateway_refused` if a gateway refused a recipient; `unavailable` if a gateway did not answer in time,
 *   in which case the same request can be repeated safely and continues
 */
export async function requestRecipients(
  deps: RequestRecipientsDeps,
  company: AuthenticatedCompany,
  requests: readonly RecipientRequest[],
  deadline: Date,
): Promise<Map<GatewaySlug, SubAccountId>> {
  const subAccounts = await Promise.all(requests.map((request) => requestSubAccount(deps, company, request)));
  const outcomes = await Promise.all(
    subAccounts.map((subAccount) => awaitRecipient(deps, subAccount, deadline)),
  );

  const refused = outcomes.find(({ status }) => status === 'refused');
  if (refused !== undefined) {
    const reason = refused.message === null ? '' : `: ${refused.message}`;
    throw new ApiError('gateway_refused', `${refused.gatewaySlug} refused the recipient${reason}.`);
  }
  const unanswered = outcomes.find(({ status }) => !isAnswered(status));
  if (unanswered !== undefined) {
    throw unavailable(
      `${unanswered.gatewaySlug} has not confirmed the recipient. Nothing was saved; send the request again.`,
    );
  }
  return new Map(subAccounts.map(({ gatewaySlug, id }) => [gatewaySlug, id]));
}

/** Inserts the row before the workflow starts; after a crash in between, the sweeper starts the workflow. */
async function requestSubAccount(
  deps: RequestRecipientsDeps,
  company: AuthenticatedCompany,
  request: RecipientRequest,
): Promise<SubAccountRef> {
  return deps.subAccounts.insertOrRestart(await buildSubAccount(deps, company, request));
}

/** The row of a new sub-account: its information encrypted, with a hash to recognize it. */
export async function buildSubAccount(
  { envelope, fingerprintKeys }: RequestRecipientsDeps,
  { id: companyId }: AuthenticatedCompany,
  { slug, information }: RecipientRequest,
): Promise<NewSubAccount> {
  const id = newSubAccountId();
  const text = JSON.stringify(information);
  const [informationHash, ...olderInformationHashes] = informationHashes(fingerprintKeys, text);
  return {
    id,
    companyId,
    gatewaySlug: slug,
    informationHash,
    olderInformationHashes,
    sealedInformation: await envelope.seal(text, encryptionContext.subAccount(companyId, id)),
    name: information.name,
    documentMasked: maskDocument(information.document),
  };
}

/** By what the same information is recognized: by each key, the first one is stored. */
export function informationHashes(fingerprintKeys: SecretKeys, text: string): KeyedValues {
  return byEachKey(fingerprintKeys, (key) => keyedHash(key, text));
}

/** A recipient's status after its gateway's answer or at the deadline. */
export interface RecipientOutcome {
  readonly gatewaySlug: GatewaySlug;
  readonly status: SubAccountStatus;
  readonly message: string | null;
}

/** Starts or joins the recipient's workflow and waits for the gateway's answer until `deadline`. */
export async function awaitRecipient(
  deps: RequestRecipientsDeps,
  subAccount: SubAccountRef,
  deadline: Date,
): Promise<RecipientOutcome> {
  const { gatewaySlug, status, consentUrl } = subAccount;
  // A link to consent is valid for a short time only: another request has the gateway asked for a new one.
  if (isAnswered(status) && consentUrl === null) return { gatewaySlug, status, message: null };
  const result = await deps.recipients.awaitRecipient(subAccount, deadline);
  return { gatewaySlug, status: result?.status ?? status, message: result?.message ?? null };
}

/** @throws ApiError `gateway_not_found` for gateways that this deployment does not offer */
export function assertOffered(
  registry: Pick<GatewayRegistry, 'isOffered'>,
  slugs: readonly GatewaySlug[],
): void {
  const missing = slugs.filter((slug) => !registry.isOffered(slug));
  if (missing.length === 0) return;
  throw new ApiError('gateway_not_found', `Not found or inactive: ${missing.join(', ')}. Nothing was saved.`);
}

type SubAccountSupport = Pick<GatewayRegistry, 'capabilities' | 'missingForRecipients'>;

/** The validation message for a gateway that no charge of a credential that is a sub-account would ever reach; null otherwise. */
export function subAccountCredentialProblem(registry: SubAccountSupport, slug: GatewaySlug): string | null {
  const support = registry.capabilities(slug);
  const limit = support.subAccounts ? splitLimit(support, [wholeTo('')]) : null;
  return limit === null
    ? subAccountProblem(registry, slug)
    : `${slug} ${describeSplitLimit(limit, support)}; use POST /sub-accounts and splits`;
}

/** The validation message for a gateway without sub-accounts, with what the platform's account lacks; null if it supports them. */
export function subAccountProblem(registry: SubAccountSupport, slug: GatewaySlug): string | null {
  if (registry.capabilities(slug).subAccounts) return null;
  const missing = registry.missingForRecipients(slug);
  const reason = missing === null ? '' : `: the platform’s account there has no ${missing}`;
  return `${slug} makes no sub-accounts${reason}`;
}
