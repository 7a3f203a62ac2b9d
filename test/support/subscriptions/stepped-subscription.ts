import type { ChargeInitiation } from '../../../src/domain/shared/charge-initiation';
import { claimAttempt, type Claim } from '../../../activities/payments/claim-attempt';
import type { GatewayAnswer } from '../../../activities/payments/call-gateway';
import { recordCharge } from '../../../activities/payments/record-charge';
import { createSubscriptionActivities } from '../../../activities/subscriptions/subscriptions';
import type { RequestedCommand } from '../../../src/application/subscriptions/subscription-command';
import type { SubscriptionAnswer } from '../../../src/application/subscriptions/subscription-answer';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewayErrorFamily } from '../../../src/domain/payments/gateway-error-family';
import type { SubscriptionId } from '../../../src/domain/shared/ids';
import type { SubscriptionRecord } from '../../../src/persistence/subscriptions/subscription-repository';
import type { AdvanceInput, SubscriptionStep } from '../../../workflows/subscriptions/messages';
import type { SubscriptionSteps } from './subscription-steps';

/** What the network returns to every approved charge. */
export const NETWORK_IDS = {
  transactionId: 'at-network',
  transactionLinkId: 'link',
  eloReference: null,
} as const;

/** How a gateway answers a charge. */
export type ChargeReply =
  | 'approved'
  | { readonly declined: string; readonly adviceCode?: string }
  | { readonly error: GatewayErrorFamily };

/** The gateway received the charge and did not answer. */
export const NO_ANSWER: ChargeReply = { error: 'ambiguous' };

export interface StoredCycle {
  readonly kind: string;
  readonly number: number;
  readonly status: string;
  readonly charge: number;
  readonly retries: number;
  readonly nextRetryAt: Date | null;
  readonly nextProbeAt: Date | null;
}

/** A subscription whose workflow never runs: the test makes each of its steps, and answers each of its charges. */
export class SteppedSubscription {
  constructor(
    private readonly steps: SubscriptionSteps,
    readonly company: AuthenticatedCompany,
    readonly id: SubscriptionId,
  ) {}

  /** What its workflow does when it is woken. */
  async step(change: Partial<AdvanceInput> = {}): Promise<SubscriptionStep> {
    const { advanceSubscription } = createSubscriptionActivities(this.steps.engine.deps);
    const input = { companyId: this.company.id, subscriptionId: this.id, now: +this.steps.now, offsetMs: 0 };
    return advanceSubscription({ ...input, ...change });
  }

  /** The step at an instant, which then is the present. */
  stepAt(at: Date): Promise<SubscriptionStep> {
    this.steps.now = at;
    return this.step();
  }

  /** Claims the next attempt of its newest payment. */
  async claim(): Promise<Claim> {
    const transactionId = await this.newestPayment();
    return claimAttempt(this.steps.engine.deps, { companyId: this.company.id, transactionId });
  }

  /** Sends the next attempts of its newest payment, which gateways answer so. */
  async answer(...replies: readonly ChargeReply[]): Promise<void> {
    for (const reply of replies) {
      const claim = await this.claim();
      if (claim.kind !== 'charge') throw new Error(`nothing to charge: ${claim.kind}`);
      const { payment, attempt } = claim;
      const answer = toAnswer(reply, payment.amountCents);
      await recordCharge(this.steps.engine.deps, payment.transactionId, attempt, answer, { kind: 'call' });
    }
  }

  /** Like `answer`, and makes the step that follows. */
  async settle(...replies: readonly ChargeReply[]): Promise<SubscriptionStep> {
    await this.answer(...replies);
    return this.step();
  }

  /** The gateway of its newest charge answers after all. */
  async answerLate(reply: ChargeReply): Promise<void> {
    const { deps } = this.steps.engine;
    const { id, amountCents } = await deps.payments.get(await this.newestPayment());
    const attempts = await deps.db.inTransaction((tx) => deps.attempts.listByPayment(id, tx));
    const sent = attempts.at(-1);
    if (sent === undefined) throw new Error('nothing was sent');
    const answer = toAnswer(reply, amountCents);
    await recordCharge(deps, await this.newestPayment(), sent, answer, { kind: 'call' });
  }

  /** More attempts like the newest of its newest payment, except for `change`. */
  async copyAttempt(change: object, times = 1): Promise<void> {
    await this.steps.engine.context.db.query(
      `INSERT INTO gateway_attempts SELECT copy.* FROM gateway_attempts a, generate_series(1, $3) n,
         jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'attempt', a.attempt + n,
           'reference', a.reference || '-' || n) || $2::jsonb) copy
        WHERE a.id = (SELECT a.id FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
                       WHERE p.transaction_id = $1 ORDER BY a.attempt DESC LIMIT 1)`,
      [await this.newestPayment(), JSON.stringify(change), times],
    );
  }

  /** No gateway is left for its newest payment. */
  async giveUp(): Promise<SubscriptionStep> {
    expect((await this.claim()).kind).toBe('nothing');
    return this.step();
  }

  /** The company's request for a command, as the route makes it. It waits for no answer. */
  request(requested: RequestedCommand, key: string | null = null): Promise<SubscriptionAnswer> {
    const { company, id } = this;
    const receivedAt = this.steps.now;
    const { operateSubscription } = this.steps.api;
    return operateSubscription.execute({ company, id, requested, idempotencyKey: key, receivedAt });
  }

  /** Like `request`, and makes the step that follows. */
  async command(...request: Parameters<SteppedSubscription['request']>): Promise<SubscriptionStep> {
    await this.request(...request);
    return this.step();
  }

  async record(): Promise<SubscriptionRecord> {
    const record = await this.steps.engine.context.subscriptions.find(this.company.id, this.id);
    if (record === null) throw new Error('the subscription is missing');
    return record;
  }

  async periodEnd(): Promise<Date> {
    const { state } = await this.record();
    if (state.period === null) throw new Error('it has no period');
    return state.period.end;
  }

  /** Oldest first. */
  cycles(): Promise<StoredCycle[]> {
    return this.query<StoredCycle>(
      `SELECT c.kind, number, c.status, charge_cents AS charge, retry_count AS retries,
              next_retry_at AS "nextRetryAt", next_probe_at AS "nextProbeAt"
         FROM billing_cycles c JOIN subscriptions s ON s.id = c.subscription_id
        WHERE s.uuid = $1 ORDER BY number, c.created_at, c.id`,
    );
  }

  /** `[status, amount]` of its payments, oldest first. */
  async payments(): Promise<Array<[string, number]>> {
    const rows = await this.query<{ status: string; cents: number }>(
      'SELECT status, amount_cents AS cents FROM payments WHERE subscription_id = $1 ORDER BY id',
    );
    return rows.map(({ status, cents }) => [status, cents]);
  }

  /** Of its payments in order. */
  async initiations(): Promise<ChargeInitiation[]> {
    const rows = await this.query<{ initiation: ChargeInitiation }>(
      'SELECT initiation FROM payments WHERE subscription_id = $1 ORDER BY id',
    );
    return rows.map(({ initiation }) => initiation);
  }

  /** `[status, refusal]` of its commands in stored order. */
  async commands(): Promise<Array<[string, string | null]>> {
    const rows = await this.query<{ status: string; refusal: string | null }>(
      `SELECT k.status, refusal FROM subscription_commands k JOIN subscriptions s ON s.id = k.subscription_id
        WHERE s.uuid = $1 ORDER BY position`,
    );
    return rows.map(({ status, refusal }) => [status, refusal]);
  }

  /** The types of its events without `subscription.`, oldest first. */
  async events(): Promise<string[]> {
    const rows = await this.query<{ type: string }>(
      `SELECT type FROM events WHERE subject_id = $1 ORDER BY sequence`,
    );
    return rows.map(({ type }) => type.replace('subscription.', ''));
  }

  /** The body of its newest event. */
  async newestEvent(): Promise<object> {
    const [event] = await this.query<{ body: object }>(
      'SELECT payload::jsonb AS body FROM events WHERE subject_id = $1 ORDER BY sequence DESC LIMIT 1',
    );
    return event?.body ?? {};
  }

  async newestPayment(): Promise<string> {
    const [payment] = await this.query<{ id: string }>(
      'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1 ORDER BY id DESC LIMIT 1',
    );
    if (payment === undefined) throw new Error('it has no payment');
    return payment.id;
  }

  /** `set` of `UPDATE subscriptions`. */
  async change(set: string, ...values: readonly unknown[]): Promise<void> {
    await this.query(`UPDATE subscriptions SET ${set} WHERE uuid = $1`, ...values);
  }

  private query<Row extends object>(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.steps.engine.context.db.query<Row>(sql, [this.id, ...values]);
  }
}

function toAnswer(reply: ChargeReply, amountCents: number): GatewayAnswer {
  const requestMs = 1;
  const gatewayTransactionId = 'at-gateway';
  if (reply === 'approved') {
    const outcome = {
      kind: reply,
      gatewayTransactionId,
      amountCents,
      responseCode: '00',
      responseMessage: 'approved',
      authorizationCode: null,
      networkIds: NETWORK_IDS,
      captureBefore: null,
      paidAmountCents: null,
      pix: null,
      billet: null,
      chargeState: null,
    } as const;
    return { kind: 'outcome', outcome, requestMs };
  }
  if ('error' in reply)
    return { kind: 'error', family: reply.error, code: null, message: 'no answer', requestMs };
  const { declined: code, adviceCode = null } = reply;
  const outcome = { kind: 'declined', code, message: 'declined', adviceCode, gatewayTransactionId } as const;
  return { kind: 'outcome', outcome, requestMs };
}
