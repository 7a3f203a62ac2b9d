import type { AuthenticatedCompany } from '../../domain/companies/company';
import { declineMessage, declineRule } from '../../domain/payments/decline';
import type { CustomerReason, NetworkIds } from '../../domain/shared/charge-initiation';
import { ApiError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newCardVerificationId, type CardVerificationId } from '../../domain/shared/ids';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import { CARD_REFUSALS } from '../../domain/subscriptions/command-refusal';
import { cardIdentity, permissionFor } from '../../domain/subscriptions/charge-guard';
import type { CardVerifier } from '../../gateways/card-verifier';
import type { Declined, GatewayCard, GatewayCustomer } from '../../gateways/gateway';
import type { CompanyGateway, GatewayRegistry } from '../../gateways/registry';
import type {
  CardVerificationRepository,
  CardVerificationResult,
} from '../../persistence/customers/card-verification-repository';
import type { GatewayRepository } from '../../persistence/gateways/gateway-repository';
import type { CardDeclines } from '../../persistence/read-models/card-declines';
import type { Database } from '../../persistence/sql/transaction';
import type { CardVault } from '../../security/card-vault';
import type { GatewaySecretCipher } from '../../security/gateway-secret-cipher';

export interface VerifyCardDeps {
  readonly db: Database;
  readonly gateways: GatewayRepository;
  readonly registry: GatewayRegistry;
  readonly secretCipher: GatewaySecretCipher;
  readonly vault: Pick<CardVault, 'fingerprint'>;
  readonly cardDeclines: CardDeclines;
  readonly cardVerifications: CardVerificationRepository;
  readonly verifier: CardVerifier;
  readonly now: () => Date;
}

export interface CardToVerify {
  readonly company: Pick<AuthenticatedCompany, 'id' | 'clientId'>;
  readonly customer: GatewayCustomer;
  readonly card: GatewayCard;
  readonly billingAddress: BillingAddress | null;
  readonly currency: string;
  readonly reason: Extract<CustomerReason, 'first_saved' | 'first_recurring'>;
  /** The gateway to ask first. */
  readonly firstTry: GatewaySlug | null;
}

/** An issuer has accepted the card. */
export interface CardVerification {
  /** See `cardIdentity`. */
  readonly identity: string;
  readonly networkIds: NetworkIds | null;
}

/** No money is at stake, so a second gateway may be asked even if the first one's answer was lost. */
const MAX_GATEWAYS = 2;
/** A request that is sent again, and several requests about one card, are answered by one verification. */
const REUSED_FOR_MS = 10 * 60_000;

/**
 * Asks the issuer about a card that is about to be saved or to begin a trial, without money. Null if no gateway of the company
 * can, or none gave a certain answer: the card is then used unverified.
 *
 * @throws ApiError `card_declined`
 */
export async function verifyCard(
  deps: VerifyCardDeps,
  toVerify: CardToVerify,
): Promise<CardVerification | null> {
  const { company, card } = toVerify;
  const fingerprint = deps.vault.fingerprint(company.id, card.number);
  const identity = cardIdentity({ ...card, fingerprint });
  for (const gateway of (await gatewaysFor(deps, toVerify)).slice(0, MAX_GATEWAYS)) {
    const begun = await begin(deps, toVerify, identity, gateway);
    if (begun.kind === 'verified') return { identity, networkIds: begun.networkIds };
    const check = await ask(deps, toVerify, gateway, begun.id);
    if (check.kind === 'verified') return { identity, networkIds: check.networkIds };
    if (check.kind === 'declined') throw declinedError(check);
  }
  return null;
}

/** Those that verify cards: the one to try first, then in the company's order; gateways with an open circuit last. */
async function gatewaysFor(
  { gateways, registry, now }: VerifyCardDeps,
  { company, firstTry }: CardToVerify,
): Promise<CompanyGateway[]> {
  const stored = await gateways.listRoutableGateways(company.id, registry.platformSlugs(company.clientId));
  const rank = ({ slug, circuitOpen }: CompanyGateway) => Number(circuitOpen) * 2 - Number(slug === firstTry);
  return registry
    .routable(stored, now())
    .filter(({ capabilities }) => capabilities.verifiesCards)
    .sort((a, b) => rank(a) - rank(b));
}

type Begun =
  | { readonly kind: 'sent'; readonly id: CardVerificationId }
  | { readonly kind: 'verified'; readonly networkIds: NetworkIds | null };

/**
 * Commits the verification as sent, unless the card was verified just now.
 *
 * @throws ApiError `card_declined` if the card's network allows no further try of a card that was declined
 */
async function begin(
  deps: VerifyCardDeps,
  { company, card, reason }: CardToVerify,
  identity: string,
  { slug, secret }: CompanyGateway,
): Promise<Begun> {
  const { db, cardDeclines, cardVerifications } = deps;
  const key = { companyId: company.id, identity };
  const at = deps.now();
  return db.inTransaction(async (tx) => {
    await cardDeclines.lock(key, tx);
    const recent = await cardVerifications.findVerified(tx, key, new Date(+at - REUSED_FOR_MS));
    if (recent !== null) return { kind: 'verified', networkIds: recent.networkIds };
    const { declines } = await cardDeclines.list(key, at, tx);
    const attempt = { brand: card.brand, amountCents: 0, at, initiator: 'person' } as const;
    const permission = permissionFor(attempt, declines).kind;
    if (permission !== 'allowed')
      throw new ApiError('card_declined', `The card ${CARD_REFUSALS[permission]}.`);
    const id = newCardVerificationId();
    const secretId = secret?.id ?? null;
    await cardVerifications.insert(tx, { ...key, id, gatewaySlug: slug, secretId, reason, sentAt: at });
    return { kind: 'sent', id };
  });
}

async function ask(
  deps: VerifyCardDeps,
  { company, customer, card, billingAddress, currency, reason }: CardToVerify,
  { slug, secret, clientId }: CompanyGateway,
  id: CardVerificationId,
) {
  const values =
    secret === null
      ? { secretKey: deps.registry.platformSecret, credentials: {} }
      : await deps.secretCipher.open({ companyId: company.id, slug }, secret);
  const check = await deps.verifier.verify(
    { slug, values, clientId },
    {
      ...{ reference: id, currency, customer, card, billingAddress },
      initiation: { initiator: 'customer', reason },
    },
  );
  const result = check.kind === 'declined' ? declineResult(check, card.brand) : resultOf(check);
  await deps.cardVerifications.recordResult(id, result, deps.now());
  return check;
}

function resultOf(
  check: Exclude<Awaited<ReturnType<CardVerifier['verify']>>, Declined>,
): CardVerificationResult {
  return check.kind === 'verified'
    ? { status: check.kind, networkIds: check.networkIds }
    : { status: check.kind };
}

function declineResult(decline: Declined, brand: string): CardVerificationResult {
  const { code, adviceCode } = decline;
  const declineType = decline.code === null ? decline.declineClass : null;
  return {
    status: 'declined',
    responseCode: code,
    adviceCode,
    declineType: declineRule({ code, brand, adviceCode, declineType }).class,
  };
}

function declinedError({ code }: Declined): ApiError {
  const reason = code === null ? 'declined' : declineMessage(code);
  return new ApiError('card_declined', `The card was declined: ${reason}.`);
}
