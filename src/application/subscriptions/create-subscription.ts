import { findClaimedKey, findRecordedAnswer, recordedAnswer, recordedOr } from '../shared/idempotency';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Coupon } from '../../domain/subscriptions/coupon';
import { ApiError, validationError } from '../../domain/shared/errors';
import { newSubscriptionId, type SubscriptionId } from '../../domain/shared/ids';
import type { Plan } from '../../domain/subscriptions/plan';
import type { Failpoint } from '../../failpoints';
import type { CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type { PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { NO_REQUEST_HASHES, requestHashes } from '../../security/request-hash';
import type { KeyedValues, SecretKeys } from '../../security/secret-keys';
import type { SubscriptionWorkflows } from '../../temporal/subscriptions';
import { assertRoutable, type RoutableDeps } from '../payments/assert-routable';
import { toBuyer, type CheckoutClaim } from '../checkout/checkout-claim';
import { resolveInDoubtCommit } from '../payments/in-doubt-commit';
import {
  resolveCustomer,
  resolveSavedCard,
  storeRawCard,
  type CustomerAndCardDeps,
} from '../payments/resolve-customer-and-card';
import type { CardVerification } from '../customers/verify-card';
import { verifySubscriptionCard, type VerifySubscriptionCardDeps } from './verify-subscription-card';
import { assertCardValidity } from './assert-card-validity';
import { couponError } from './coupon-error';
import { newSubscriptionNeeds } from './new-subscription-needs';
import { insertSubscription, type InsertSubscriptionDeps } from './insert-subscription';
import { toStart, type SubscriptionAnswer } from './subscription-answer';
import {
  UNKNOWN_PLAN,
  readSubscriptionRequest,
  type ReadSubscriptionRequest,
  type SubscriptionRequest,
} from './subscription-request';

export interface CreateSubscriptionDeps
  extends
    CustomerAndCardDeps,
    RoutableDeps,
    InsertSubscriptionDeps,
    Pick<VerifySubscriptionCardDeps, 'verifyCard'> {
  readonly db: Database;
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly workflows: Pick<SubscriptionWorkflows, 'awaitCharge' | 'wake'>;
  readonly requestHashKeys: SecretKeys;
  readonly syncTimeoutMs: number;
  readonly failpoint: Failpoint;
  /** Reports an error that must not fail the request, because the subscription exists. */
  readonly reportError: (subscriptionId: string, error: unknown) => void;
}

export interface CreateSubscriptionCommand {
  readonly company: AuthenticatedCompany;
  readonly idempotencyKey: string | null;
  readonly request: SubscriptionRequest;
  readonly receivedAt: Date;
  /** Set if it is created in a checkout session. */
  readonly checkout?: CheckoutClaim;
}

interface NewSubscriptionFacts {
  readonly hashes: KeyedValues;
  readonly id: SubscriptionId;
  /** Of the card with which a trial begins. */
  readonly verification: CardVerification | null;
}

/**
 * Creates a subscription once per idempotency key. One transaction claims the key, redeems the coupon, stores the card in
 * the vault, and inserts the subscription and the payment of an immediate first charge. Then the workflow is started, and
 * the request waits for the charge.
 *
 * @throws ApiError `validation_error`, `card_declined`, `coupon_*`, `idempotency_key_reused`, `no_gateway_available`, `offer_changed`. Nothing was created
 *   and the key can be used again.
 */
export class CreateSubscription {
  constructor(private readonly deps: CreateSubscriptionDeps) {}

  async execute(command: CreateSubscriptionCommand): Promise<SubscriptionAnswer> {
    const { company, idempotencyKey, receivedAt } = command;
    const hashes = this.hashesOf(command);
    const created = await this.createUnlessClaimed(command, hashes);
    if (created === null) return this.answerRepeated(command, hashes);
    this.deps.failpoint('subscription-committed', company.id);
    return this.awaitAnswer(created, idempotencyKey, receivedAt);
  }

  private hashesOf({ idempotencyKey, request, checkout }: CreateSubscriptionCommand): KeyedValues {
    if (idempotencyKey === null) return NO_REQUEST_HASHES;
    const [path, body] = checkout
      ? ['/checkout/pay', { ...checkout.request, card: request.card }]
      : ['/subscriptions', request];
    return requestHashes(this.deps.requestHashKeys, 'POST', path, body);
  }

  /** Returns null if the key is already claimed. */
  private async createUnlessClaimed(
    command: CreateSubscriptionCommand,
    hashes: KeyedValues,
  ): Promise<SubscriptionRecord | null> {
    const { company, idempotencyKey } = command;
    const id = newSubscriptionId();
    try {
      const verification = await this.verifyTrial(command);
      return await this.deps.db.inTransaction((tx) => this.create(tx, command, { hashes, id, verification }));
    } catch (error) {
      if (!(error instanceof ApiError)) {
        const find = () => this.deps.subscriptions.find(company.id, id);
        return resolveInDoubtCommit({ db: this.deps.db, find, cause: error, idempotencyKey });
      }
      if (idempotencyKey === null) throw error;
      if ((await this.deps.idempotency.find(company.id, idempotencyKey)) === null) throw error;
      return null;
    }
  }

  private async create(
    tx: Tx,
    command: CreateSubscriptionCommand,
    { hashes, id, verification }: NewSubscriptionFacts,
  ): Promise<SubscriptionRecord | null> {
    const { company, request, idempotencyKey, checkout } = command;
    const now = this.deps.now();
    const read = readSubscriptionRequest(request, now, checkout?.guestId ?? null);
    if (!read.valid) throw validationError(read.errors);
    if (idempotencyKey !== null) {
      const claim = { companyId: company.id, key: idempotencyKey, requestHashes: hashes, subscriptionId: id };
      if (!(await this.deps.idempotency.claim(tx, claim))) return null;
    }
    await checkout?.claimSession(tx, { subscriptionId: id });
    const current = await this.activePlan(tx, company.id, read.value);
    const plan = checkout?.agreedPlan(current) ?? current;
    const coupon = await this.redeem(tx, company, request.coupon_code ?? null, now);
    checkout?.assertSameOffer(plan, coupon, company.timezone, now);
    const trialDays = request.trial_period_days ?? plan.trialPeriodDays;
    const customer = checkout ? toBuyer(read.value.customer) : read.value.customer;
    const customerAndCard = await this.resolveCustomerAndCard(
      tx,
      company,
      { ...read.value, customer },
      { plan, trialDays, now },
    );
    await this.assertRoutable(tx, command, { plan, trialDays, payer: read.value.payer, ...customerAndCard });
    const checkoutSessionId = checkout?.sessionId ?? null;
    const terms = { plan, coupon, trialDays, checkoutSessionId, verification, payer: read.value.payer };
    const inserted = await insertSubscription(
      this.deps,
      tx,
      { id, company, request, idempotencyKey, ...terms, ...customerAndCard },
      now,
    );
    await checkout?.useLink(tx);
    return inserted;
  }

  private async assertRoutable(
    tx: Tx,
    command: CreateSubscriptionCommand,
    subscription: Parameters<typeof newSubscriptionNeeds>[1],
  ): Promise<void> {
    const { company, checkout } = command;
    const needs = newSubscriptionNeeds(command, subscription);
    const audience = checkout ? 'buyer' : 'company';
    await assertRoutable(this.deps, tx, company, needs, { audience, charged: subscription.card });
  }

  /**
   * Before the transaction, because the issuer is asked, and after the offer is checked: a refused offer must not tell that the card
   * is good. Null without a trial, and for a request that is repeated or invalid.
   */
  private async verifyTrial(command: CreateSubscriptionCommand): Promise<CardVerification | null> {
    const { company, request, idempotencyKey: key, checkout } = command;
    const now = this.deps.now();
    const read = readSubscriptionRequest(request, now, checkout?.guestId ?? null);
    if (!read.valid) return null;
    if (key !== null && (await this.deps.idempotency.find(company.id, key)) !== null) return null;
    const current = await this.deps.plans.find(company.id, read.value.planId);
    if (current?.isActive !== true) return null;
    const plan = checkout?.agreedPlan(current) ?? current;
    if ((request.trial_period_days ?? plan.trialPeriodDays) === 0) return null;
    const coupon = await this.redeemable(company, request.coupon_code ?? null, now);
    checkout?.assertSameOffer(plan, coupon, company.timezone, now);
    await checkout?.countTry();
    const { customer, card } = read.value;
    return verifySubscriptionCard(this.deps, {
      ...{ company, customer, card, currency: plan.currency },
      billingAddress: request.billing_address ?? null,
      firstTry: request.gateway_first_try ?? null,
    });
  }

  private async redeemable(
    { id, timezone }: AuthenticatedCompany,
    code: string | null,
    now: Date,
  ): Promise<Coupon | null> {
    if (code === null || code === '') return null;
    const found = await this.deps.coupons.check(id, code, now, timezone);
    if (found.problem !== null) throw couponError(found.problem);
    return found.coupon;
  }

  private async activePlan(tx: Tx, companyId: number, { planId }: ReadSubscriptionRequest): Promise<Plan> {
    const plan = await this.deps.plans.lockForUse(tx, companyId, planId);
    if (plan === null) throw validationError({ plan_id: [UNKNOWN_PLAN] });
    if (!plan.isActive) throw validationError({ plan_id: ['the plan is not active'] });
    return plan;
  }

  private async redeem(
    tx: Tx,
    { id, timezone }: AuthenticatedCompany,
    code: string | null,
    now: Date,
  ): Promise<Coupon | null> {
    if (code === null || code === '') return null;
    const redeemed = await this.deps.coupons.redeem(tx, id, code, now, timezone);
    if (redeemed.problem !== null) throw couponError(redeemed.problem);
    return redeemed.coupon;
  }

  private async resolveCustomerAndCard(
    tx: Tx,
    { id: companyId, timezone }: AuthenticatedCompany,
    { customer: choice, card }: ReadSubscriptionRequest,
    { plan, trialDays, now }: { readonly plan: Plan; readonly trialDays: number; readonly now: Date },
  ) {
    const customer = await resolveCustomer(this.deps, tx, companyId, choice);
    const owner = { companyId, customerId: customer.id };
    // The CVV is kept only for a charge while the customer is present, not for one after a trial.
    const onFile =
      card.kind === 'saved'
        ? await resolveSavedCard(this.deps, tx, owner, card.token, now)
        : await storeRawCard(this.deps, tx, companyId, card.card, trialDays === 0);
    assertCardValidity(onFile, plan, now, timezone);
    return { customer, card: onFile };
  }

  /** The subscription exists and may be charged: if something fails, the answer shows its current state. */
  private async awaitAnswer(
    created: SubscriptionRecord,
    key: string | null,
    receivedAt: Date,
  ): Promise<SubscriptionAnswer> {
    const { uuid } = created.row;
    const deadline = new Date(+receivedAt + this.deps.syncTimeoutMs);
    try {
      if (created.state.openCharge === null) await this.deps.workflows.wake(toStart(created));
      else await this.deps.workflows.awaitCharge(toStart(created), deadline);
      return await this.answer(created, key);
    } catch (error) {
      this.deps.reportError(uuid, error);
      return describeAnswer(created);
    }
  }

  private async answer(created: SubscriptionRecord, key: string | null): Promise<SubscriptionAnswer> {
    const { companyId, uuid } = created.row;
    return recordedOr(
      () => findRecordedAnswer(this.deps.idempotency, companyId, key),
      async () => describeAnswer((await this.deps.subscriptions.find(companyId, uuid)) ?? created),
      ({ subscription }) => subscription.state.openCharge === null,
    );
  }

  /** For a claimed key: the same request gets the recorded answer or waits for it; a different request is an error. */
  private async answerRepeated(
    { company, idempotencyKey, receivedAt }: CreateSubscriptionCommand,
    hashes: KeyedValues,
  ): Promise<SubscriptionAnswer> {
    const claim = { companyId: company.id, key: idempotencyKey, requestHashes: hashes };
    const record = await findClaimedKey(this.deps.idempotency, claim, 'subscriptionId');
    const recorded = recordedAnswer(record, true);
    if (recorded !== null) return recorded;
    const created = await this.deps.subscriptions.find(company.id, record.subscriptionId);
    if (created === null) throw new Error('the subscription is missing');
    // It was charged between the two reads, so its answer is recorded now, and every request gets that one.
    if (created.state.openCharge === null) return this.answer(created, idempotencyKey);
    return this.awaitAnswer(created, idempotencyKey, receivedAt);
  }
}

function describeAnswer(subscription: SubscriptionRecord) {
  return { kind: 'subscription', status: 201, subscription } as const;
}
