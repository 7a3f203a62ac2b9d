import type { AuthenticatedCompany } from '../../domain/companies/company';
import { maskDocument } from '../../domain/customers/document';
import { ApiError, unavailable } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newSubAccountId, type SubAccountId } from '../../domain/shared/ids';
import { isAnswered, type SubAccountStatus } from '../../domain/routing/subaccount';
import type { SubAccountInformation } from '../../domain/routing/subaccount-information';
import type {
  NewSubAccount,
  SubAccountRef,
  SubAccountRepository,
} from '../../persistence/gateways/sub-account-repository';
import type { EnvelopeCipher } from '../../security/envelope';
import { keyedHash } from '../../security/keyed-hash';
import { encryptionContext } from '../../security/encryption-context';
import type { RecipientWorkflows } from '../../temporal/recipients';

export interface RequestRecipientsDeps {
  readonly subAccounts: SubAccountRepository;
  readonly recipients: RecipientWorkflows;
  readonly envelope: EnvelopeCipher;
  /** Keys the hash that recognizes the same information again. */
  readonly fingerprintKey: string;
}

export interface RecipientRequest {
  readonly slug: GatewaySlug;
  /** Canonical, as `checkSubAccountInformation` returns it. */
  readonly information: SubAccountInformation;
}

/**
 * Makes recipients at gateways, each once, and waits until every gateway has given its word. The same information
 * again is the same recipient, however often and by however many requests at once it is asked for.
 *
 * @throws ApiError `gateway_refused` when a gateway refused one; `unavailable` when a gateway gave no word in time:
 *   asking again is safe and goes on where this left off
 */
export async function requestRecipients(
  deps: RequestRecipientsDeps,
  company: AuthenticatedCompany,
  requests: readonly RecipientRequest[],
  deadline: Date,
): Promise<Map<GatewaySlug, SubAccountId>> {
  const subAccounts = await Promise.all(requests.map((request) => requestSubAccount(deps, company, request)));
  const words = await Promise.all(
    subAccounts.map((subAccount) => awaitRecipient(deps, subAccount, deadline)),
  );

  const refused = words.find(({ status }) => status === 'refused');
  if (refused !== undefined) {
    const reason = refused.message === null ? '' : `: ${refused.message}`;
    throw new ApiError('gateway_refused', `${refused.gatewaySlug} refused the recipient${reason}.`);
  }
  const silent = words.find(({ status }) => !isAnswered(status));
  if (silent !== undefined) {
    throw unavailable(
      `${silent.gatewaySlug} has not confirmed the recipient. Nothing was saved; send the request again.`,
    );
  }
  return new Map(subAccounts.map(({ gatewaySlug, id }) => [gatewaySlug, id]));
}

/** The row comes first, with its place in the queue: a crash between here and the workflow's start loses nothing. */
async function requestSubAccount(
  deps: RequestRecipientsDeps,
  company: AuthenticatedCompany,
  request: RecipientRequest,
): Promise<SubAccountRef> {
  return deps.subAccounts.request(await describeSubAccount(deps, company, request));
}

/** The row of a sub-account to be requested: its information sealed, and recognizable. */
export async function describeSubAccount(
  { envelope, fingerprintKey }: RequestRecipientsDeps,
  { id: companyId }: AuthenticatedCompany,
  { slug, information }: RecipientRequest,
): Promise<NewSubAccount> {
  const id = newSubAccountId();
  const text = JSON.stringify(information);
  return {
    id,
    companyId,
    gatewaySlug: slug,
    informationHash: keyedHash(fingerprintKey, text),
    sealedInformation: await envelope.seal(text, encryptionContext.subAccount(companyId, id)),
    name: information.name,
    documentMasked: maskDocument(information.document),
  };
}

/** What is known of a recipient once its gateway has given its word, or at the deadline. */
export interface RecipientOutcome {
  readonly gatewaySlug: GatewaySlug;
  readonly status: SubAccountStatus;
  readonly message: string | null;
}

/** Makes the recipient, or joins whoever does, and waits for the gateway's word until `deadline`. */
export async function awaitRecipient(
  deps: RequestRecipientsDeps,
  subAccount: SubAccountRef,
  deadline: Date,
): Promise<RecipientOutcome> {
  const { gatewaySlug, status } = subAccount;
  if (isAnswered(status)) return { gatewaySlug, status, message: null };
  const word = await deps.recipients.awaitRecipient(subAccount, deadline);
  return { gatewaySlug, status: word?.status ?? status, message: word?.message ?? null };
}
