import type { Capabilities } from '../../../src/domain/routing/routing';
import {
  accountChangeAfterSeen,
  rankSecrets,
  type SecretTrust,
} from '../../../src/domain/routing/gateway-secrets';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { GatewaySecretId } from '../../../src/domain/shared/ids';
import type { InquiryResult } from '../../../src/gateways/gateway';
import type { GatewayAccess } from '../../../src/gateways/registry';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { GatewaySecretRow } from '../../../src/persistence/gateways/gateway-secret-repository';
import { gatewayContext } from '../call-gateway';
import { inquiredRefund } from './inquired-refund';
import type { PaymentDeps } from '../payment-deps';

/** One way to ask a gateway about a charge. */
export interface AccountAccess {
  readonly access: GatewayAccess;
  readonly trust: SecretTrust;
  /** The gateway rejected the secret the last time. */
  readonly isRejected: boolean;
}

/** The gateway of an attempt with the secrets that may know its charge, even if the company has replaced or disabled them. */
export interface ChargedAccount {
  readonly slug: GatewaySlug;
  readonly capabilities: Capabilities;
  /** What the attempt was sent with. Null once that secret was erased. */
  readonly sender: GatewayAccess | null;
  /** In the order to use them. */
  readonly accesses: readonly AccountAccess[];
}

/** Shown to support in the history. */
const QUOTA_KEPT = 'not asked yet: the rest of the account’s quota at the gateway is kept for payments';
/** How many secrets are tried for one inquiry or operation. */
const MAX_TRIED = 5;

export async function findChargedAccount(
  deps: PaymentDeps,
  { companyId, gatewaySlug: slug, secretId }: Pick<AttemptRecord, 'companyId' | 'gatewaySlug' | 'secretId'>,
): Promise<ChargedAccount> {
  const capabilities = deps.registries.of(companyId).capabilities(slug);
  if (secretId === null) {
    const access = await platformAccess(deps, companyId, slug);
    const accesses = [{ access, trust: 'same_account', isRejected: false } as const];
    return { slug, capabilities, sender: access, accesses };
  }
  const secrets = await deps.gatewaySecrets.list({ companyId, slug }, { id: secretId });
  const sender = secrets.find(({ id }) => id === secretId);
  if (sender === undefined) throw new Error('the secret of the attempt does not exist');
  const usable = secrets.filter(({ sealedValues }) => sealedValues !== null);
  const accesses = rankSecrets(sender, usable)
    .slice(0, MAX_TRIED)
    .flatMap(({ secret, trust }) => {
      const access = toAccess(slug, secret);
      return access === null ? [] : [{ access, trust, isRejected: secret.rejectedAt !== null }];
    });
  return { slug, capabilities, sender: toAccess(slug, sender), accesses };
}

/** Every charge with the platform's key can be operated on with it, whatever the company uses now. */
async function platformAccess(
  deps: PaymentDeps,
  companyId: number,
  slug: GatewaySlug,
): Promise<GatewayAccess> {
  const current = await deps.gateways.findGateway(companyId, slug, []);
  return { slug, secret: null, clientId: current?.secret === null ? current.clientId : null };
}

export function toAccess(slug: GatewaySlug, secret: GatewaySecretRow): GatewayAccess | null {
  const { id, fingerprint, sealedValues, clientId } = secret;
  if (sealedValues === null) return null;
  return { slug, secret: { id, fingerprint, sealedValues, clientId }, clientId };
}

type InquiredAttempt = Pick<
  AttemptRecord,
  | 'id'
  | 'companyId'
  | 'paymentId'
  | 'secretId'
  | 'operation'
  | 'reference'
  | 'gatewayTransactionId'
  | 'amountCents'
  | 'sentAt'
  | 'splits'
  | 'targetAttemptId'
>;

/**
 * Asks a gateway about an attempt, with one secret after the other until one gets an answer that counts. "Not found" counts
 * only with a secret of the charged account: in another account it proves nothing.
 */
export async function inquireAccount(
  deps: PaymentDeps,
  attempt: InquiredAttempt,
  { accesses }: Pick<ChargedAccount, 'accesses'>,
): Promise<InquiryResult> {
  let result: InquiryResult = { kind: 'inconclusive', reason: 'no secret of the charged account is left' };
  for (const candidate of accesses) {
    result = await inquireWith(deps, attempt, candidate, { sparesQuota: true });
    if (result.kind === 'found') return result;
    if (result.kind === 'not_found' && candidate.trust === 'same_account') return result;
    // Without an answer of the gateway, another secret gets none either.
    if (result.kind === 'inconclusive' && result.credentialsRejected !== true) return result;
  }
  return result.kind === 'not_found'
    ? { kind: 'inconclusive', reason: 'no accepted secret is known to show the charged account' }
    : result;
}

/**
 * Asks once, and records what the answer says about the secret. `sparesQuota`: does not ask while the rest of the account's
 * quota is kept for payments.
 */
export async function inquireWith(
  deps: PaymentDeps,
  attempt: InquiredAttempt,
  { access, trust, isRejected }: AccountAccess,
  { sparesQuota }: { readonly sparesQuota: boolean },
): Promise<InquiryResult> {
  const deadline = new Date(deps.now().getTime() + deps.settings.gatewayTimeoutMs);
  const asked = { ...attempt, operation: 'inquiry' } as const;
  const context = await gatewayContext(deps, asked, access, deadline);
  if (sparesQuota && !context.takeInquiry()) return { kind: 'inconclusive', reason: QUOTA_KEPT };
  const { reference, gatewayTransactionId, sentAt } = attempt;
  const subject = { reference, gatewayTransactionId, sentAt, ...(await inquiredRefund(deps, attempt)) };
  const result = await deps.registries.of(attempt.companyId).driver(access.slug).inquire(context, subject);
  const { secret } = access;
  if (secret === null) return result;
  if (result.kind === 'inconclusive') {
    if (result.credentialsRejected === true && !isRejected)
      await deps.gatewaySecrets.markRejected(secret.id, deps.now());
    return result;
  }
  if (isRejected) await deps.gatewaySecrets.markAccepted(secret.id, deps.now());
  if (result.kind === 'found' && trust !== 'same_account')
    await recordSeen(deps, attempt, access.slug, secret.id);
  return result;
}

/** Records that a secret shows a charge that was sent with another one: both are secrets of one account. */
async function recordSeen(
  deps: PaymentDeps,
  { companyId, secretId }: InquiredAttempt,
  slug: GatewaySlug,
  readerId: GatewaySecretId,
): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    // The same lock as for saving credentials.
    await deps.credentials.lockAll(tx, companyId);
    const wanted = secretId === null ? {} : { id: secretId };
    const secrets = await deps.gatewaySecrets.list({ companyId, slug }, wanted, tx);
    const [sender, reader] = [secretId, readerId].map((id) => secrets.find((secret) => secret.id === id));
    const change = sender && reader ? accountChangeAfterSeen(sender, reader) : null;
    if (change !== null) await deps.gatewaySecrets.changeAccounts(tx, { companyId, slug }, change);
  });
}
