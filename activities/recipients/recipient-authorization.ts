import { createHash } from 'node:crypto';
import {
  CONSENT_LIFETIME_MS,
  consentStep,
  isRenewalDue,
  renewalPauseMs,
} from '../../src/domain/routing/recipient-authorization';
import type { GatewayErrorFamily } from '../../src/domain/payments/gateway-error-family';
import { assertNever } from '../../src/domain/shared/assert-never';
import { recipientPauseMs } from '../../src/domain/routing/subaccount';
import type { SubAccountId } from '../../src/domain/shared/ids';
import { GatewayError } from '../../src/gateways/errors';
import type { GatewayContext } from '../../src/gateways/gateway';
import type { ConsentRequest, RecipientAuthorization, RecipientGrant } from '../../src/gateways/recipient';
import type {
  AuthorizationRow,
  NewConsent,
  NewRecipientSecret,
} from '../../src/persistence/gateways/recipient-authorization-repository';
import { encryptionContext } from '../../src/security/encryption-context';
import { hashRandomToken, newRandomToken } from '../../src/security/random-tokens';
import type { RecipientStep } from '../../workflows/messages';
import { recipientContext, recordStep, type RecipientDeps } from './recipient-deps';

type Authorization = RecipientAuthorization<GatewayContext>;

/** Shown to the company. The owner follows `consent_url` in each case. */
const WAITS = 'the owner has to authorize the platform at the gateway';
const REASONS = {
  first: WAITS,
  refused: `the gateway did not accept the answer; ${WAITS} again`,
  lost: `the gateway did not confirm the answer in time; ${WAITS} again`,
  other: `another account than before was authorized; ${WAITS} again`,
  ended: `the gateway has ended the authorization; ${WAITS} again`,
} as const;

/**
 * One step of a recipient whose owner authorizes the platform: a link to consent, the exchange of the owner's code, or the renewal of
 * what the gateway gave for it. No step sends a code twice or replaces a newer secret, however many workers make it.
 */
export async function advanceAuthorization(
  deps: RecipientDeps,
  id: SubAccountId,
  authorization: Authorization,
): Promise<RecipientStep> {
  const row = await deps.recipientAuthorizations.get(id);
  switch (row.status) {
    case 'requested':
    case 'unknown':
    case 'pending':
      await advanceConsent(deps, row, authorization);
      break;
    case 'active':
      await renewIfDue(deps, row, authorization);
      break;
    case 'refused':
      break;
  }
  const { status, message, pollCount, secretExpiresAt } = await deps.recipientAuthorizations.get(id);
  const pauseMs =
    status === 'active' && secretExpiresAt !== null
      ? renewalPauseMs(secretExpiresAt, deps.now())
      : recipientPauseMs(status, pollCount);
  await recordStep(deps, id, pauseMs);
  return { status, message, pauseMs };
}

async function advanceConsent(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
): Promise<void> {
  switch (consentStep(row, deps.now(), inFlightMs(deps))) {
    case 'wait':
      return;
    case 'open':
      return openConsent(deps, row, authorization, row.receivedAt === null ? 'first' : 'lost');
    case 'redeem':
      return redeemCode(deps, row, authorization);
  }
}

/** How long a request may still be answered. */
function inFlightMs({ settings: { gatewayTimeoutMs, sendWindowMs } }: RecipientDeps): number {
  return gatewayTimeoutMs + sendWindowMs;
}

/** Replaces the link. The reason is the message of the sub-account. */
async function openConsent(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
  reason: keyof typeof REASONS,
): Promise<void> {
  const consent = await newConsent(deps, row, authorization, REASONS[reason]);
  if (consent === null) return;
  if (row.status === 'active') await deps.recipientAuthorizations.reopen(row.id, row.secretVersion, consent);
  else await deps.recipientAuthorizations.open(row.id, row.stateHash, consent);
}

/** Null if the platform has no application at the gateway: a later step tries again. */
async function newConsent(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
  message: string,
): Promise<NewConsent | null> {
  const state = newRandomToken();
  const verifier = newRandomToken();
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const redirectUri = redirectUriOf(deps, row);
  const consentUrl = consentUrlOrNull(deps, row, authorization, { redirectUri, state, codeChallenge });
  if (consentUrl === null) return null;
  const context = encryptionContext.consentVerifier(row.companyId, row.id);
  return {
    recipientId: row.id,
    stateHash: hashRandomToken(state),
    consentUrl,
    expiresAt: new Date(deps.now().getTime() + CONSENT_LIFETIME_MS),
    sealedVerifier: await deps.envelope.seal(verifier, context),
    message,
  };
}

function consentUrlOrNull(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
  request: ConsentRequest,
): string | null {
  try {
    return authorization.consentUrl(recipientContext(deps, row, 'authorize_recipient', Infinity), request);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return null;
  }
}

/** The route `receiveConsent`, which is registered in the platform's application. */
function redirectUriOf({ settings }: RecipientDeps, { gatewaySlug }: AuthorizationRow): string {
  return `${settings.publicBaseUrl}/api/v1/consents/${gatewaySlug}`;
}

/** For a request that is sent now or not at all. */
function authorizationContext(deps: RecipientDeps, row: AuthorizationRow, sentAt: Date): GatewayContext {
  return recipientContext(deps, row, 'authorize_recipient', sentAt.getTime() + deps.settings.sendWindowMs);
}

/** Sends the code once. A worker that finds it claimed never sends it. */
async function redeemCode(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
): Promise<void> {
  const { id, companyId, stateHash, sealedCode, sealedVerifier } = row;
  if (stateHash === null || sealedCode === null || sealedVerifier === null) return;
  const { envelope, recipientAuthorizations } = deps;
  const code = await envelope.open(sealedCode, encryptionContext.consentCode(companyId, id));
  const codeVerifier = await envelope.open(sealedVerifier, encryptionContext.consentVerifier(companyId, id));
  const sentAt = deps.now();
  if (!(await recipientAuthorizations.claimCode(id, stateHash, sentAt))) return;
  const context = authorizationContext(deps, row, sentAt);
  try {
    const request = { code, codeVerifier, redirectUri: redirectUriOf(deps, row) };
    await recordGrant(deps, row, authorization, await authorization.redeem(context, request));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    await recordRefusedCode(deps, row, authorization, { stateHash, sentAt, family: error.family });
  }
}

/** A code that the gateway certainly did not take can be sent again while it is valid. */
async function recordRefusedCode(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
  {
    stateHash,
    sentAt,
    family,
  }: { readonly stateHash: string; readonly sentAt: Date; readonly family: GatewayErrorFamily },
): Promise<void> {
  switch (family) {
    case 'not_sent':
    case 'rate_limited':
    case 'bad_credentials':
    case 'unsupported':
      await deps.recipientAuthorizations.releaseCode(row.id, stateHash, sentAt);
      return;
    case 'invalid_request':
      return openConsent(deps, row, authorization, 'refused');
    case 'ambiguous':
      return openConsent(deps, row, authorization, 'lost');
    default:
      return assertNever(family);
  }
}

/** An account that has consented before keeps its id: its payments are known by it. */
async function recordGrant(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
  grant: RecipientGrant,
): Promise<void> {
  const { recipientId: known } = await deps.subAccounts.get(row.id);
  const isFirst = known === null || known === row.id;
  if (!isFirst && known !== grant.recipientId) return openConsent(deps, row, authorization, 'other');
  const secret = await sealSecret(deps, row, grant);
  await deps.recipientAuthorizations.grant(row.id, grant.recipientId, secret);
}

async function sealSecret(
  { envelope, now }: RecipientDeps,
  { id, companyId }: AuthorizationRow,
  { secret, expiresInMs }: RecipientGrant,
): Promise<NewRecipientSecret> {
  return {
    sealed: await envelope.seal(secret, encryptionContext.recipientSecret(companyId, id)),
    expiresAt: new Date(now().getTime() + expiresInMs),
  };
}

/**
 * Renews the secret long before its end. Of several workers one sends; the gateway's answer is stored unless a newer one is there. If it
 * refuses the old secret, and nobody has renewed it meanwhile, the owner must consent again.
 */
async function renewIfDue(
  deps: RecipientDeps,
  row: AuthorizationRow,
  authorization: Authorization,
): Promise<void> {
  const { id, companyId, secretVersion: version, secretExpiresAt } = row;
  const { recipientAuthorizations, subAccounts } = deps;
  const now = deps.now();
  if (secretExpiresAt === null || !isRenewalDue(secretExpiresAt, now)) return;
  const sealed = await subAccounts.findSecret(id);
  if (sealed === null) return;
  const abandonedBefore = new Date(now.getTime() - inFlightMs(deps));
  if (!(await recipientAuthorizations.claimRenewal(id, version, now, abandonedBefore))) return;
  const secret = await deps.envelope.open(sealed, encryptionContext.recipientSecret(companyId, id));
  const context = authorizationContext(deps, row, now);
  try {
    const grant = await authorization.renew(context, secret);
    await recipientAuthorizations.renew(id, version, await sealSecret(deps, row, grant));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // Any other error is left to the next step: the secret still works.
    if (error.family === 'invalid_request') await openConsent(deps, row, authorization, 'ended');
  }
}
