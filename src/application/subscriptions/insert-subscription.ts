import { createdAnswer } from '../../domain/shared/http-answer';
import type { Customer } from '../../domain/customers/customer';
import { personalContent } from '../../domain/customers/personal-data';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { SubscriptionId } from '../../domain/shared/ids';
import type { Payer } from '../../domain/shared/purchase-details';
import { cardIdentity } from '../../domain/subscriptions/charge-guard';
import { refusalError } from '../../domain/subscriptions/command-refusal';
import type { Coupon } from '../../domain/subscriptions/coupon';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import { NO_HISTORY, type CardHistory, type Transition } from '../../domain/subscriptions/subscription';
import { createUnlessForbidden } from '../../domain/subscriptions/subscription-commands';
import { nextDue } from '../../domain/subscriptions/subscription-due';
import type { IdempotencyRepository } from '../../persistence/payments/idempotency-repository';
import type { CardDeclines } from '../../persistence/read-models/card-declines';
import type { Tx } from '../../persistence/sql/transaction';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import { cardOf, couponOf, termsOf, toColumns } from '../../persistence/subscriptions/subscription-state';
import type { DeliveryToStart } from '../../persistence/webhooks/webhook-delivery-repository';
import type { CardVerification } from '../customers/verify-card';
import type { SubscriptionRequest } from './subscription-request';
import type { SubscriptionTransitionWriter } from './transition-writer';

export interface InsertSubscriptionDeps {
  readonly subscriptions: SubscriptionRepository;
  readonly transitionWriter: SubscriptionTransitionWriter;
  readonly cardDeclines: CardDeclines;
  readonly idempotency: IdempotencyRepository;
  readonly startDeliveries: (deliveries: readonly DeliveryToStart[]) => void;
  readonly present: (subscription: SubscriptionRecord) => object;
}

export interface SubscriptionToInsert {
  readonly id: SubscriptionId;
  readonly company: AuthenticatedCompany;
  readonly request: SubscriptionRequest;
  readonly idempotencyKey: string | null;
  readonly checkoutSessionId: number | null;
  readonly plan: Plan;
  /** Already redeemed. */
  readonly coupon: Coupon | null;
  readonly trialDays: number;
  readonly customer: Customer;
  readonly card: CardOnFile;
  readonly payer: Payer;
  /** Of the card of a trial; null if it is not verified, or is charged now. */
  readonly verification: CardVerification | null;
}

/** Time for the request to start the workflow itself before the sweeper does. */
const RECOVERY_DELAY_AFTER_CREATION_MS = 5_000;

/**
 * Inserts a subscription with its first events and, unless it starts with a trial, its first cycle and payment. If nothing
 * has to be charged now, records the answer of the request.
 *
 * @throws ApiError `validation_error` if the card's network forbids the first charge; nothing is sent
 */
export async function insertSubscription(
  deps: InsertSubscriptionDeps,
  tx: Tx,
  subscription: SubscriptionToInsert,
  now: Date,
): Promise<SubscriptionRecord> {
  const { company, request, plan, coupon, trialDays, card } = subscription;
  const terms = {
    plan: termsOf(plan),
    billingDay: request.billing_day ?? plan.billingDay,
    trialDays,
    timezone: company.timezone,
    card: cardOf(card),
    coupon: couponOf(coupon, 0),
  };
  const result = createUnlessForbidden(terms, now, await historyOf(deps, tx, subscription, now));
  if (!result.applied) throw refusalError(result);
  const created = result.transition;
  await insertRow(deps, tx, subscription, created, now);
  const inserted = await deps.subscriptions.lock(tx, subscription.id);
  const { deliveries } = await deps.transitionWriter.save(tx, inserted, created, now);
  if (deliveries.length > 0) tx.afterCommit(() => deps.startDeliveries(deliveries));
  const saved = await deps.subscriptions.lock(tx, subscription.id);
  await recordAnswerUnlessCharging(deps, tx, saved);
  return saved;
}

/** The declines of the new subscription's card; none if nothing is charged now. */
async function historyOf(
  { cardDeclines }: InsertSubscriptionDeps,
  tx: Tx,
  { company, trialDays, card }: SubscriptionToInsert,
  now: Date,
): Promise<CardHistory> {
  if (trialDays > 0) return NO_HISTORY;
  const charged = { companyId: company.id, identity: cardIdentity(cardOf(card)) };
  return { ...NO_HISTORY, declines: (await cardDeclines.list(charged, now, tx)).declines };
}

async function insertRow(
  { subscriptions }: InsertSubscriptionDeps,
  tx: Tx,
  { id, company, request, plan, coupon, trialDays, customer, card, ...rest }: SubscriptionToInsert,
  { state }: Transition,
  now: Date,
): Promise<void> {
  // The row starts without a cycle or charge; the transition writer then adds them.
  const withoutCycle = { ...state, openCycle: null, openCharge: null };
  await subscriptions.insert(tx, {
    uuid: id,
    companyId: company.id,
    customerId: customer.id,
    customerKey: customer.key,
    card: card.card,
    cardFingerprint: card.fingerprint,
    vaultCardId: card.vaultCardId,
    ...verifiedColumns(card, rest.verification),
    billingAddress: request.billing_address ?? card.billingAddress,
    payer: rest.payer,
    gatewayFirstTry: request.gateway_first_try ?? null,
    metadata: request.metadata ?? null,
    trialDays,
    couponId: coupon?.id ?? null,
    ...toColumns(withoutCycle, () => plan.id),
    dueAt: nextDue(state)?.at ?? null,
    idempotencyKey: rest.idempotencyKey,
    checkoutSessionId: rest.checkoutSessionId,
    recoverAfter: new Date(+now + RECOVERY_DELAY_AFTER_CREATION_MS),
    createdAt: now,
    updatedAt: now,
  });
}

/** The saved card may have been renewed since it was verified. */
function verifiedColumns(card: CardOnFile, verification: CardVerification | null) {
  if (verification === null || verification.identity !== cardIdentity(cardOf(card))) return {};
  return { cardApproved: true, networkIds: verification.networkIds };
}

async function recordAnswerUnlessCharging(
  { idempotency, present }: InsertSubscriptionDeps,
  tx: Tx,
  subscription: SubscriptionRecord,
): Promise<void> {
  const { companyId, idempotencyKey: key } = subscription.row;
  if (subscription.state.openCharge !== null) return;
  const personal = personalContent('subscription', subscription.customer);
  await idempotency.recordAnswer(tx, { companyId, key }, createdAnswer(present(subscription)), personal);
}
