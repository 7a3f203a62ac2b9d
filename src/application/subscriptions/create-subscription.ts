import { isValidForMonths } from '../../domain/subscriptions/card-validity';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Coupon, CouponRefusal } from '../../domain/subscriptions/coupon';
import { ApiError, validationError } from '../../domain/shared/errors';
import { newSubscriptionId, type SubscriptionId } from '../../domain/shared/ids';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import { createSubscription } from '../../domain/subscriptions/subscription-lifecycle';
import { nextDue } from '../../domain/subscriptions/subscription-due';
import type { Transition } from '../../domain/subscriptions/subscription';
import type { Failpoint } from '../../failpoints';
import type { CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type {
  IdempotencyRecord,
  IdempotencyRepository,
} from '../../persistence/payments/idempotency-repository';
import type { PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { SubscriptionTransitionWriter } from './transition-writer';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import { cardOf, couponOf, termsOf, toColumns } from '../../persistence/subscriptions/subscription-state';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { DeliveryToStart } from '../../persistence/webhooks/webhook-delivery-repository';
import { requestHash } from '../../security/request-hash';
import type { SubscriptionWorkflows } from '../../temporal/subscriptions';
import { assertRoutable, type RoutableDeps } from '../payments/assert-routable';
import { asBuyer, type CheckoutClaim } from '../checkout/checkout-claim';
import { resolveInDoubtCommit } from '../payments/in-doubt-commit';
import {
  resolveCustomer,
  resolveSavedCard,
  storeRawCard,
  type PartyDeps,
} from '../payments/resolve-customer-and-card';
import { keyReused } from '../payments/payment-answer';
import { withoutCvv } from '../payments/payment-request';
import { toStart, type SubscriptionAnswer } from './subscription-answer';
import {
  NO_PLAN,
  readSubscriptionRequest,
  type ReadSubscriptionRequest,
  type SubscriptionRequest,
} from './subscription-request';

export interface CreateSubscriptionDeps extends PartyDeps, RoutableDeps {
  readonly db: Database;
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly subscriptionBook: SubscriptionTransitionWriter;
  readonly idempotency: IdempotencyRepository;
  readonly workflows: Pick<SubscriptionWorkflows, 'awaitCharge' | 'wake'>;
  readonly startDeliveries: (deliveries: readonly DeliveryToStart[]) => void;
  readonly present: (subscription: SubscriptionRecord) => object;
  readonly requestHashKey: string;
  readonly syncTimeoutMs: number;
  readonly failpoint: Failpoint;
  /** Tells people of an error that the caller must not see, because the subscription exists. */
  readonly reportError: (subscriptionId: string, error: unknown) => void;
}

export interface CreateSubscriptionCommand {
  readonly company: AuthenticatedCompany;
  readonly idempotencyKey: string | null;
  readonly request: SubscriptionRequest;
  readonly receivedAt: Date;
  /** Where it is made in a checkout session. */
  readonly checkout?: CheckoutClaim;
}

/**
 * Makes a subscription once, whatever is resent: ONE transaction claims the key, redeems the coupon, puts the card in the
 * vault, inserts the subscription and the payment of its first charge, if there is one now; then its workflow is started
 * or joined, and the charge waited for.
 *
 * @throws ApiError `validation_error`, `coupon_*`, `idempotency_key_reused`, `no_gateway_available`: nothing was created
 *   and the key is free
 */
export class CreateSubscription {
  constructor(private readonly deps: CreateSubscriptionDeps) {}

  async execute(command: CreateSubscriptionCommand): Promise<SubscriptionAnswer> {
    const { company, idempotencyKey, receivedAt } = command;
    const hash = this.hash(command);
    const created = await this.createUnlessKnown(command, hash);
    if (created === null) return this.answerResent(command, hash);
    this.deps.failpoint('subscription-committed', company.id);
    return this.awaitAnswer(created, idempotencyKey, receivedAt);
  }

  private hash({ idempotencyKey, request, checkout }: CreateSubscriptionCommand): string {
    if (idempotencyKey === null) return '';
    const [path, asked] = checkout
      ? ['/checkout/pay', { ...checkout.asked, card: request.card }]
      : ['/subscriptions', request];
    return requestHash(this.deps.requestHashKey, 'POST', path, withoutCvv(asked));
  }

  /** Null when the key is taken. */
  private async createUnlessKnown(
    command: CreateSubscriptionCommand,
    hash: string,
  ): Promise<SubscriptionRecord | null> {
    const { company, idempotencyKey } = command;
    const id = newSubscriptionId();
    try {
      return await this.deps.db.inTransaction((tx) => this.create(tx, command, hash, id));
    } catch (error) {
      if (!(error instanceof ApiError)) {
        return resolveInDoubtCommit(() => this.deps.subscriptions.find(company.id, id), error);
      }
      if (idempotencyKey === null) throw error;
      if ((await this.deps.idempotency.find(company.id, idempotencyKey)) === null) throw error;
      return null;
    }
  }

  private async create(
    tx: Tx,
    command: CreateSubscriptionCommand,
    hash: string,
    id: SubscriptionId,
  ): Promise<SubscriptionRecord | null> {
    const { company, request, idempotencyKey, checkout } = command;
    const now = this.deps.now();
    const read = readSubscriptionRequest(request, now);
    if (!read.valid) throw validationError(read.errors);
    if (idempotencyKey !== null) {
      const claim = { companyId: company.id, key: idempotencyKey, requestHash: hash, subscriptionId: id };
      if (!(await this.deps.idempotency.claim(tx, claim))) return null;
    }
    await checkout?.claimSession(tx, { subscriptionId: id });
    const plan = await this.activePlan(tx, company.id, read.value);
    await assertRoutable(this.deps, tx, company, {
      paymentMethod: 'card',
      authorizeOnly: false,
      currency: plan.currency,
      recipientIds: [],
    });
    const coupon = await this.redeem(tx, company, request.coupon_code ?? null, now);
    const trialDays = request.trial_period_days ?? plan.trialPeriodDays;
    const customer = checkout ? asBuyer(read.value.customer) : read.value.customer;
    const parties = await this.resolveParties(
      tx,
      company,
      { ...read.value, customer },
      { plan, trialDays, now },
    );
    const inserted = await this.insert(tx, command, { id, plan, coupon, trialDays, ...parties }, now);
    await checkout?.useLink(tx);
    return inserted;
  }

  private async activePlan(tx: Tx, companyId: number, { planId }: ReadSubscriptionRequest): Promise<Plan> {
    const plan = await this.deps.plans.lockForUse(tx, companyId, planId);
    if (plan === null) throw validationError({ plan_id: [NO_PLAN] });
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

  private async resolveParties(
    tx: Tx,
    { id: companyId, timezone }: AuthenticatedCompany,
    { customer: choice, card }: ReadSubscriptionRequest,
    { plan, trialDays, now }: { readonly plan: Plan; readonly trialDays: number; readonly now: Date },
  ) {
    const customer = await resolveCustomer(this.deps, tx, companyId, choice);
    const owner = { companyId, customerId: customer.id };
    // A CVV is for the charge its owner is here for: none after a trial.
    const onFile =
      card.kind === 'saved'
        ? await resolveSavedCard(this.deps, tx, owner, card.token, now)
        : await storeRawCard(this.deps, tx, companyId, card.card, trialDays === 0);
    assertValidLong(onFile, plan, now, timezone);
    return { customerId: customer.id, onFile };
  }

  private async insert(
    tx: Tx,
    { company, request, idempotencyKey, checkout }: CreateSubscriptionCommand,
    made: {
      readonly id: SubscriptionId;
      readonly plan: Plan;
      readonly coupon: Coupon | null;
      readonly trialDays: number;
      readonly customerId: number;
      readonly onFile: CardOnFile;
    },
    now: Date,
  ): Promise<SubscriptionRecord> {
    const { id, plan, coupon, trialDays, customerId, onFile } = made;
    const begun = createSubscription(
      {
        plan: termsOf(plan),
        billingDay: request.billing_day ?? plan.billingDay,
        trialDays,
        timezone: company.timezone,
        card: cardOf(onFile),
        coupon: couponOf(coupon, 0),
      },
      now,
    );
    // As it is before its first cycle, which the book then keeps.
    const unborn = { ...begun.state, openCycle: null, openCharge: null, couponCyclesUsed: 0 };
    await this.deps.subscriptions.insert(tx, {
      uuid: id,
      companyId: company.id,
      customerId,
      card: onFile.card,
      cardFingerprint: onFile.fingerprint,
      vaultCardId: onFile.vaultCardId,
      billingAddress: request.billing_address ?? onFile.billingAddress,
      gatewayFirstTry: request.gateway_first_try ?? null,
      metadata: request.metadata ?? null,
      trialDays,
      couponId: coupon?.id ?? null,
      ...toColumns(unborn, () => plan.id),
      dueAt: nextDue(begun.state)?.at ?? null,
      idempotencyKey,
      checkoutSessionId: checkout?.sessionId ?? null,
      recoverAfter: new Date(+now + WAKE_AFTER_CREATION_MS),
      createdAt: now,
      updatedAt: now,
    });
    const inserted = await this.deps.subscriptions.lock(tx, id);
    return this.keep(tx, inserted, begun, now);
  }

  private async keep(
    tx: Tx,
    inserted: SubscriptionRecord,
    begun: Transition,
    now: Date,
  ): Promise<SubscriptionRecord> {
    const born = await this.deps.subscriptionBook.save(tx, inserted, begun, now);
    if (born.length > 0) tx.afterCommit(() => this.deps.startDeliveries(born));
    const kept = await this.deps.subscriptions.lock(tx, inserted.row.uuid);
    const { companyId, idempotencyKey: key } = kept.row;
    if (key !== null && kept.state.openCharge === null) {
      const body = this.deps.present(kept);
      await this.deps.idempotency.recordAnswer(tx, { companyId, key, status: 201, body });
    }
    return kept;
  }

  /** From here on the subscription exists and may be charged: whatever fails, the answer is how it stands. */
  private async awaitAnswer(
    known: SubscriptionRecord,
    key: string | null,
    receivedAt: Date,
  ): Promise<SubscriptionAnswer> {
    const { companyId, uuid } = known.row;
    const deadline = new Date(+receivedAt + this.deps.syncTimeoutMs);
    try {
      if (known.state.openCharge === null) await this.deps.workflows.wake(toStart(known));
      else await this.deps.workflows.awaitCharge(toStart(known), deadline);
      const record = key === null ? null : await this.deps.idempotency.find(companyId, key);
      if (record !== null && record.responseStatus !== null) return recorded(record, false);
      const now = await this.deps.subscriptions.find(companyId, uuid);
      return { kind: 'subscription', status: 201, subscription: now ?? known };
    } catch (error) {
      this.deps.reportError(uuid, error);
      return { kind: 'subscription', status: 201, subscription: known };
    }
  }

  /** The key is taken: the same request gets the same answer, or waits for it; another request is an error. */
  private async answerResent(
    { company, idempotencyKey, receivedAt }: CreateSubscriptionCommand,
    hash: string,
  ): Promise<SubscriptionAnswer> {
    const record = await this.deps.idempotency.find(company.id, idempotencyKey ?? '');
    if (record === null) throw new Error('a claimed key is kept for ever');
    if (record.requestHash !== hash || record.subscriptionId === null) throw keyReused();
    if (record.responseStatus !== null) return recorded(record, true);
    const known = await this.deps.subscriptions.find(company.id, record.subscriptionId);
    if (known === null) throw new Error('a subscription is never deleted');
    return this.awaitAnswer(known, idempotencyKey, receivedAt);
  }
}

/** Long enough for its workflow to be started by the request. */
const WAKE_AFTER_CREATION_MS = 5_000;

function recorded(record: IdempotencyRecord, replayed: boolean): SubscriptionAnswer {
  return { kind: 'recorded', status: record.responseStatus ?? 201, body: record.responseBody, replayed };
}

/** @throws ApiError `validation_error` on `card.expire_year` */
export function assertValidLong(
  { card }: Pick<CardOnFile, 'card'>,
  { minCardMonths }: Plan,
  now: Date,
  timezone: string,
): void {
  if (isValidForMonths(card, minCardMonths, now, timezone)) return;
  const message = `the card must be valid for ${minCardMonths} more months`;
  throw validationError({ [card.token === null ? 'card.expire_year' : 'card.token']: [message] });
}

const COUPON_WORDS: Readonly<Record<CouponRefusal, string>> = {
  coupon_not_found: 'There is no such coupon.',
  coupon_inactive: 'The coupon is not active.',
  coupon_not_started: 'The coupon cannot be used yet.',
  coupon_expired: 'The coupon has expired.',
  coupon_exhausted: 'The coupon has no redemptions left.',
};

/** Why a coupon cannot be redeemed, as the API tells it. */
export function couponError(problem: CouponRefusal): ApiError {
  return new ApiError(problem, COUPON_WORDS[problem]);
}
