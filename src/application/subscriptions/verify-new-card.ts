import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { SubscriptionId } from '../../domain/shared/ids';
import { allows } from '../../domain/subscriptions/subscription-commands';
import type { IdempotencyRepository } from '../../persistence/payments/idempotency-repository';
import type { SubscriptionRepository } from '../../persistence/subscriptions/subscription-repository';
import type { CardVerification } from '../customers/verify-card';
import { chargesNewCard, subscriptionNow, type RequestedCommand } from './subscription-command';
import { readCardChange, type CardChangeRequest } from './subscription-request';
import { verifySubscriptionCard, type VerifySubscriptionCardDeps } from './verify-subscription-card';

export interface VerifyNewCardDeps extends VerifySubscriptionCardDeps {
  readonly idempotency: Pick<IdempotencyRepository, 'find'>;
  readonly subscriptions: Pick<SubscriptionRepository, 'find'>;
  readonly now: () => Date;
}

interface CommandRequest {
  readonly company: AuthenticatedCompany;
  readonly requested: RequestedCommand;
  readonly idempotencyKey: string | null;
}

/**
 * Verifies the card of a card change, before the transaction that stores the command, because the issuer is asked. Null for any other
 * command, for a card that is charged at once, and for a request that is repeated, invalid or not allowed.
 *
 * @throws ApiError `card_declined`
 */
export async function verifyNewCard(
  deps: VerifyNewCardDeps,
  { company, requested, idempotencyKey: key }: CommandRequest,
  id: SubscriptionId,
): Promise<CardVerification | null> {
  if (requested.kind !== 'change_card') return null;
  if (key !== null && (await deps.idempotency.find(company.id, key)) !== null) return null;
  const record = await deps.subscriptions.find(company.id, id);
  if (record === null || chargesNewCard(record) || !allows(record.state, requested.kind)) return null;
  const request = requested.body as CardChangeRequest;
  const read = readCardChange(request, subscriptionNow(deps, record));
  if (!read.valid) return null;
  return verifySubscriptionCard(deps, {
    ...{ company, card: read.value.card, currency: record.plan.currency },
    customer: { kind: 'known', token: record.customer.token },
    billingAddress: request.billing_address ?? null,
    firstTry: record.row.gatewayFirstTry,
  });
}
