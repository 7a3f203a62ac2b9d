import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { CardVault } from '../../security/card-vault';
import type { CardToVerify, CardVerification } from '../customers/verify-card';
import type { CustomerChoice } from '../payments/payment-request';
import type { UsedCard } from './subscription-request';

export interface VerifySubscriptionCardDeps {
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly vault: Pick<CardVault, 'read'>;
  readonly verifyCard: (card: CardToVerify) => Promise<CardVerification | null>;
}

export interface SubscriptionCardToVerify {
  readonly company: AuthenticatedCompany;
  readonly customer: CustomerChoice;
  readonly card: UsedCard;
  readonly billingAddress: BillingAddress | null;
  readonly currency: string;
  readonly firstTry: GatewaySlug | null;
}

/**
 * Verifies a card that a subscription will charge later, not now. Null if it stays unverified: its first charge then establishes the
 * series. Also null for a customer or card that does not exist, which the request itself reports.
 *
 * @throws ApiError `card_declined`
 */
export async function verifySubscriptionCard(
  deps: VerifySubscriptionCardDeps,
  { customer: choice, card: used, ...rest }: SubscriptionCardToVerify,
): Promise<CardVerification | null> {
  const customer = await customerOf(deps, rest.company.id, choice);
  const card = await cardOf(deps, rest.company.id, used);
  if (customer === null || card === null) return null;
  return deps.verifyCard({ ...rest, customer, card, reason: 'first_recurring' });
}

async function customerOf(
  { customers }: VerifySubscriptionCardDeps,
  companyId: number,
  choice: CustomerChoice,
): Promise<CardToVerify['customer'] | null> {
  return choice.kind === 'known' ? customers.findByToken(companyId, choice.token) : choice.details;
}

async function cardOf(
  { customerCards, vault }: VerifySubscriptionCardDeps,
  companyId: number,
  used: UsedCard,
): Promise<CardToVerify['card'] | null> {
  if (used.kind === 'raw') return used.card;
  const saved = await customerCards.findByToken(companyId, used.token);
  const secrets = saved && (await vault.read(companyId, saved.vaultCardId));
  return saved && secrets && { ...saved, ...secrets, cvv: null };
}
