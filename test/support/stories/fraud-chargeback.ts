import { expectStatus, type ApiClient } from '../../api/support/api-client';
import type { EngineApi } from '../../api/support/engine-api';
import { individual } from '../../unit/domain/subaccount-fixtures';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../../workflows/subscriptions/subscription-merchant';
import {
  paymentsOfSubscription,
  ReportedDispute,
  untilDispute,
} from '../../workflows/disputes/dispute-scenario';
import type { PaymentBody } from '../../../src/presenters/payment';
import { waitFor } from '../stack/wait-for';

export interface StoryMerchant {
  readonly api: EngineApi;
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
}

const RENEWAL_CENTS = 9_990;
const DAY_MS = 24 * 3_600_000;

/**
 * The third renewal of a weekly subscription is disputed for fraud, at a company that charges through a sub-account: the only split
 * that charges of subscriptions have. Each step waits until its consequences are recorded.
 */
export class FraudChargeback {
  private readonly openedAt = new Date();

  private constructor(
    private readonly merchant: StoryMerchant,
    readonly subscription: TestSubscription,
    readonly disputed: PaymentBody,
  ) {}

  /** The company must have no gateway yet. */
  static async renewThreeTimes(merchant: StoryMerchant, card: object): Promise<FraudChargeback> {
    const { byKey } = merchant;
    const account = { gateway_slug: 'gateway_1', secret_key: 'unused', use_as_subaccount: true } as const;
    const gateways = [{ ...account, subaccount_information: individual({ name: 'Torrefação da Serra' }) }];
    expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
    const plan = await newPlan(byKey, { name: 'Clube do Café', amount: RENEWAL_CENTS });
    const subscription = await TestSubscription.create(byKey, subscriptionBody(plan.id, { card }));
    await subscription.advanceDays(21);
    const thirdRenewal = (await paymentsOfSubscription(merchant.api, byKey, subscription.id))[3];
    if (thirdRenewal === undefined) throw new Error('the subscription was renewed');
    return new FraudChargeback(merchant, subscription, thirdRenewal);
  }

  /** The bank of the cardholder opens the chargeback. */
  async open(): Promise<string> {
    const { byToken } = this.merchant;
    const evidence_due_at = new Date(this.openedAt.getTime() + 9 * DAY_MS).toISOString();
    await this.reported.report({ ...this.report, status: 'opened', after: 0, evidence_due_at });
    return (await untilDispute(byToken, this.disputed, 'opened')).id;
  }

  /** The bank decides for the cardholder. */
  async lose(): Promise<void> {
    const after = (Date.now() - this.openedAt.getTime()) / 1_000;
    await this.reported.report({ ...this.report, status: 'lost', after });
    await untilDispute(this.merchant.byToken, this.disputed, 'lost');
    await waitFor(async () => (await this.subscription.current()).status === 'paused');
  }

  private readonly report = { amount: RENEWAL_CENTS, reason_code: '10.4' } as const;

  private get reported(): ReportedDispute {
    const id = `dp_${this.disputed.transaction_id.slice(0, 8)}`;
    return new ReportedDispute(this.merchant.api, this.disputed, id, this.openedAt);
  }
}
