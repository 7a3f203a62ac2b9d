import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { CardVault } from '../../security/card-vault';
import type { CardToVerify, CardVerification } from '../customers/verify-card';
import type { CustomerChoice } from '../payments/payment-request';
import type { ReadSubscriptionRequest, SubscriptionRequest, UsedCard } from './subscription-request';

export interface VerifyTrialCardDeps {
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly vault: Pick<CardVault, 'read'>;
  readonly verifyCard: (card: CardToVerify) => Promise<CardVerification | null>;
}

export interface TrialToVerify {
  readonly company: AuthenticatedCompany;
  readonly request: SubscriptionRequest;
  readonly read: ReadSubscriptionRequest;
  readonly plan: Pick<Plan, 'currency'>;
}

/**
 * Verifies the card with which a trial begins. Null if it stays unverified: its first charge then establishes the series. Also
 * null for a customer or card that does not exist, which the creation reports.
 *
 * @throws ApiError `card_declined`
 */
export async function verifyTrialCard(
  deps: VerifyTrialCardDeps,
  { company, request, read, plan }: TrialToVerify,
): Promise<CardVerification | null> {
  const customer = await customerOf(deps, company.id, read.customer);
  const card = await cardOf(deps, company.id, read.card);
  if (customer === null || card === null) return null;
  return deps.verifyCard({
    company,
    customer,
    card,
    billingAddress: request.billing_address ?? null,
    currency: plan.currency,
    reason: 'first_recurring',
    firstTry: request.gateway_first_try ?? null,
  });
}

async function customerOf(
  { customers }: VerifyTrialCardDeps,
  companyId: number,
  choice: CustomerChoice,
): Promise<CardToVerify['customer'] | null> {
  return choice.kind === 'known' ? customers.findByToken(companyId, choice.token) : choice.details;
}

async function cardOf(
  { customerCards, vault }: VerifyTrialCardDeps,
  companyId: number,
  used: UsedCard,
): Promise<CardToVerify['card'] | null> {
  if (used.kind === 'raw') return used.card;
  const saved = await customerCards.findByToken(companyId, used.token);
  const secrets = saved && (await vault.read(companyId, saved.vaultCardId));
  return saved && secrets && { ...saved, ...secrets, cvv: null };
}
