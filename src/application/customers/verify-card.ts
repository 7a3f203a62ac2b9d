import { openGatewayAccount } from '../companies/open-gateway-account';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { verificationDecline } from '../../domain/subscriptions/verification-decline';
import { declineMessage } from '../../domain/payments/decline';
import type { CustomerReason, NetworkIds } from '../../domain/shared/charge-initiation';
import { ApiError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newCardVerificationId, type CardVerificationId } from '../../domain/shared/ids';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import { CARD_REFUSALS } from '../../domain/subscriptions/command-refusal';
import { cardIdentity, permissionFor } from '../../domain/subscriptions/charge-guard';
import { LONGEST_WINDOW_MS } from '../../domain/subscriptions/network-limits';
import type { CardVerifier } from '../../gateways/card-verifier';
import type { Declined, GatewayCard, GatewayCustomer } from '../../gateways/gateway';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { CompanyGateway } from '../../gateways/registry';
import type {
  AnsweredVerification,
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
  readonly registries: GatewayRegistries;
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
/** Several requests about one card are answered by one verification. */
const REUSED_FOR_MS = 10 * 60_000;
/** Longer than a verification takes. One without an answer for longer was lost. */
const ANSWERED_WITHIN_MS = 30_000;

/**
 * Asks the issuer, without money, about a card that is about to be saved, or that a subscription will charge later. Null if the
 * card is used unverified: no gateway of the company can ask, none gave a certain answer, the issuer declines such requests, or it
 * is being asked by another request and would decline the second one as a duplicate.
 *
 * @throws ApiError `card_declined`
 */
export async function verifyCard(
  deps: VerifyCardDeps,
  toVerify: CardToVerify,
): Promise<CardVerification | null> {
  const { company, card } = toVerify;
  const fingerprint = await deps.vault.fingerprint(company.id, card.number);
  const identity = cardIdentity({ ...card, fingerprint });
  for (const gateway of (await gatewaysFor(deps, toVerify)).slice(0, MAX_GATEWAYS)) {
    const begun = await begin(deps, toVerify, identity, gateway);
    if (begun.kind === 'verified') return { identity, networkIds: begun.networkIds };
    if (begun.kind === 'not_asked') return null;
    const check = await ask(deps, toVerify, gateway, begun.id);
    if (check.kind === 'verified') return { identity, networkIds: check.networkIds };
    if (check.kind !== 'declined') continue;
    // Another gateway reaches the same issuer.
    if (meaningOf(check, card) === 'not_verifiable') return null;
    throw declinedError(check);
  }
  return null;
}

/** Those that verify cards: the one to try first, then in the company's order; gateways with an open circuit last. */
async function gatewaysFor(
  { gateways, registries, now }: VerifyCardDeps,
  { company, firstTry }: CardToVerify,
): Promise<CompanyGateway[]> {
  const registry = registries.of(company.id);
  const stored = await gateways.listRoutableGateways(company.id, registry.platformSlugs(company.clientId));
  const rank = ({ slug, circuitOpen }: CompanyGateway) => Number(circuitOpen) * 2 - Number(slug === firstTry);
  return registry
    .routable(stored, now())
    .filter(({ capabilities }) => capabilities.verifiesCards)
    .sort((a, b) => rank(a) - rank(b));
}

type Begun =
  | { readonly kind: 'sent'; readonly id: CardVerificationId }
  | { readonly kind: 'verified'; readonly networkIds: NetworkIds | null }
  | { readonly kind: 'not_asked' };

/**
 * Commits the verification as sent, unless the card was verified just now, the issuer is being asked about it, or the issuer declines
 * such requests.
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
    const since = new Date(+at - LONGEST_WINDOW_MS);
    const answered = await cardVerifications.findAnswered(tx, key, reason, since);
    if (answered?.status === 'verified' && +answered.sentAt > +at - REUSED_FOR_MS)
      return { kind: 'verified', networkIds: answered.networkIds };
    const { declines } = await cardDeclines.list(key, at, tx);
    const attempt = { brand: card.brand, amountCents: 0, at, initiator: 'person' } as const;
    const permission = permissionFor(attempt, declines).kind;
    const isNeedless =
      declinesRequests(answered, card) ||
      (await cardVerifications.isUnderWay(tx, key, new Date(+at - ANSWERED_WITHIN_MS)));
    if (permission !== 'never' && isNeedless) return { kind: 'not_asked' };
    if (permission !== 'allowed')
      throw new ApiError('card_declined', `The card ${CARD_REFUSALS[permission]}.`);
    const id = newCardVerificationId();
    const secretId = secret?.id ?? null;
    await cardVerifications.insert(tx, { ...key, id, gatewaySlug: slug, secretId, reason, sentAt: at });
    return { kind: 'sent', id };
  });
}

function declinesRequests(answered: AnsweredVerification | null, card: GatewayCard): boolean {
  if (answered?.status !== 'declined') return false;
  return meaningOf({ ...answered, code: answered.responseCode }, card) === 'not_verifiable';
}

async function ask(
  deps: VerifyCardDeps,
  { company, customer, card, billingAddress, currency, reason }: CardToVerify,
  gateway: CompanyGateway,
  id: CardVerificationId,
) {
  const account = await openGatewayAccount(deps, company.id, gateway);
  const check = await deps.verifier.verify(
    { companyId: company.id, slug: gateway.slug, ...account },
    {
      ...{ reference: id, currency, customer, card, billingAddress },
      initiation: { initiator: 'customer', reason },
    },
  );
  const result = check.kind === 'declined' ? declineResult(check, card) : resultOf(check);
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

function declineResult(decline: Declined, card: GatewayCard): CardVerificationResult {
  return {
    status: 'declined',
    responseCode: decline.code,
    adviceCode: decline.adviceCode,
    forbidsCard: meaningOf(decline, card) === 'forbidden',
  };
}

function meaningOf({ code, adviceCode }: Pick<Declined, 'code' | 'adviceCode'>, { brand }: GatewayCard) {
  return verificationDecline({ code, brand, adviceCode });
}

function declinedError({ code }: Declined): ApiError {
  const reason = code === null ? 'declined' : declineMessage(code);
  return new ApiError('card_declined', `The card was declined: ${reason}.`);
}
