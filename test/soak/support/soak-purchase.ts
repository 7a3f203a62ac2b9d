import { supportsAuthorizeOnly } from '../../../src/domain/shared/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import { APPROVED_CARD, BANK_ACCOUNT, paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { newKey, type PaymentRouteRequest, type PaymentRouteResult } from './merchant-backend';
import type { PlannedPurchase } from './month-plan';
import type { SoakMerchant } from './soak-merchant';
import { mayDecline, type InjectedGatewayFault } from './fault-injection';

export interface SoakCardOptions {
  /** False only authorizes the amount. */
  readonly capture?: boolean;
  readonly number?: string;
  /** Whether the returning customer's saved card is used. */
  readonly saved?: boolean;
  readonly save?: boolean;
  readonly splits?: readonly object[];
}

/** The fields that a payment must have. */
export type ExpectedState = Partial<
  Pick<PaymentBody, 'status' | 'message' | 'code' | 'captured_amount' | 'refunded_amount' | 'paid_amount'>
>;

const STATE_WITHIN_MS = 90_000;
const POLL_EVERY_MS = 200;
const RESEND_CALLBACKS_AFTER_MS = 5_000;
const HOUR_MS = 3_600_000;

/** A purchase differs from its scenario's expected outcome. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
}

/**
 * One purchase, with the steps that the scenarios consist of. A step accepts the outcomes that the planned gateway
 * faults explain, and throws a ScenarioError for any other.
 */
export class SoakPurchase {
  private created: PaymentBody | undefined;
  private creation: PaymentRouteRequest | undefined;
  private operations = 0;

  constructor(
    readonly merchant: SoakMerchant,
    private readonly plan: PlannedPurchase,
  ) {}

  /** Null before the payment exists. */
  get transactionId(): string | null {
    return this.created?.transaction_id ?? null;
  }

  get amount(): number {
    return this.plan.amountCents;
  }

  /** More than nothing and less than the whole amount. */
  get partialAmount(): number {
    return Math.floor((this.amount * this.plan.partialPercent) / 100);
  }

  /** Splits between three recipients. */
  percentageSplits(options: { authorize?: boolean } = {}): object[] {
    const { partialPercent } = this.plan;
    const half = Math.floor((100 - partialPercent) / 2);
    const percents = [partialPercent, half, 100 - partialPercent - half];
    return this.recipients(options.authorize === true)
      .map((recipient_id, index) => ({ recipient_id, type: 'percentage', amount: percents[index] ?? 0 }))
      .filter(({ amount }) => amount > 0);
  }

  /** Splits between two recipients. */
  flatSplits(): object[] {
    const [first, second] = this.recipients(false);
    return [
      { recipient_id: first, type: 'flat', amount: this.partialAmount },
      { recipient_id: second, type: 'flat', amount: this.amount - this.partialAmount },
    ];
  }

  /** Returns false if the payment was declined for an expected reason. */
  payByCard(options: SoakCardOptions = {}): Promise<boolean> {
    const { capture = true, number = APPROVED_CARD, saved = false, save = false, splits } = options;
    const { returningCustomer } = this.merchant;
    const payer = saved
      ? {
          customer: { token: returningCustomer.token },
          card: { token: returningCustomer.cardToken },
          billing_address: null,
        }
      : { card: rawCard(number), save_card: save };
    const body = { ...paymentRequest(), ...this.commonFields(splits), ...payer, capture };
    return this.create('createCardPayment', body, capture ? 'approved' : 'authorized');
  }

  createPix(options: { expiresInSeconds?: number; splits?: readonly object[] } = {}): Promise<boolean> {
    const { expiresInSeconds, splits } = options;
    const body = {
      ...this.commonFields(splits),
      ...(expiresInSeconds && { pix_expires_in: expiresInSeconds }),
    };
    return this.create('createPixPayment', body, 'pending');
  }

  createBillet(options: { dueAt?: string } = {}): Promise<boolean> {
    const body = { ...this.commonFields(), ...(options.dueAt && { billet_due_at: options.dueAt }) };
    return this.create('createBilletPayment', body, 'pending');
  }

  /** Sends the request that created the payment again, this many times at once. */
  async expectSameResultWhenResent(times: number): Promise<void> {
    const { creation } = this;
    if (creation === undefined) throw new ScenarioError('there is no payment yet');
    const results = await Promise.all(
      Array.from({ length: times }, () => this.merchant.backend.send(creation)),
    );
    for (const result of results) {
      const same = result.status === 200 && JSON.stringify(result.payment) === JSON.stringify(this.created);
      this.assert(same, `the resent request got ${JSON.stringify(result)}`);
    }
  }

  /** Returns false if the gateway declined the capture for an expected reason; the same for `cancel` and `refund`. */
  async capture(amount?: number): Promise<boolean> {
    return this.operate('capturePayment', amount === undefined ? {} : { amount });
  }

  async cancel(): Promise<boolean> {
    return this.operate('cancelPayment');
  }

  async refund(amount?: number, change: object = {}): Promise<boolean> {
    return this.operate('refundPayment', { ...(amount === undefined ? {} : { amount }), ...change });
  }

  async refundToBankAccount(amount?: number): Promise<boolean> {
    return this.refund(amount, { bank_account: BANK_ACCOUNT });
  }

  /** Sends the operations at the same time; returns their results in this order. */
  async operateConcurrently(
    ...operations: ReadonlyArray<readonly [PaymentRouteRequest['route'], object?]>
  ): Promise<PaymentRouteResult[]> {
    return Promise.all(
      operations.map(([route, body]) => this.merchant.backend.send(this.operationRequest(route, body))),
    );
  }

  /** The request must be rejected with this error code, before anything is sent to the gateway. */
  async expectRejected(route: PaymentRouteRequest['route'], reason: string, body?: object): Promise<void> {
    const result = await this.merchant.backend.send(this.operationRequest(route, body));
    const rejected = result.status !== 200 && result.reason === reason;
    this.assert(rejected, `${route} got ${JSON.stringify(result)}, expected ${reason}`);
  }

  /** The customer pays at the gateway until the paid total is this. */
  async payAtGateway(total: number = this.amount): Promise<void> {
    const { simulator } = this.merchant.environment;
    const paid = async (): Promise<boolean> => {
      const { totals } = await simulator.ledger(this.id);
      if (totals.captured < total) await simulator.pay(this.id, total - totals.captured);
      return (await simulator.ledger(this.id)).totals.captured === total;
    };
    // Retried while the simulator is down. A payment whose response was lost is in its ledger.
    await waitFor(paid, { what: 'the customer to pay', withinMs: STATE_WITHIN_MS, everyMs: POLL_EVERY_MS });
  }

  /** The merchant refunds this on the gateway's own pages. To be called before any other refund. */
  async refundAtGateway(cents: number): Promise<void> {
    const { simulator } = this.merchant.environment;
    const refunded = async (): Promise<boolean> => {
      if ((await simulator.ledger(this.id)).totals.refunded < cents) await simulator.refund(this.id, cents);
      return (await simulator.ledger(this.id)).totals.refunded === cents;
    };
    // Like a payment of the customer.
    const options = { what: 'the refund at the gateway', withinMs: STATE_WITHIN_MS, everyMs: POLL_EVERY_MS };
    await waitFor(refunded, options);
  }

  /** The gateway repeats its callback; with `forge`, a third party sends one with an invalid signature. */
  async sendCallbacks(options: { times?: number; forge?: boolean }): Promise<void> {
    const { simulator, withFaults } = this.merchant.environment;
    const sent = simulator.sendCallbacks(this.id, options);
    await (withFaults ? sent.catch(() => undefined) : sent);
  }

  /** The gateway sends no callbacks about this payment. To be called before the payment is created. */
  async suppressCallbacks(): Promise<void> {
    await this.script({ amount: this.amount }, { behavior: { callback: false }, times: 1 });
  }

  /** Advances the payment's test clock and waits until it has reached its target. */
  async advanceClock(hours: number): Promise<void> {
    const { clock } = await this.current();
    const target = new Date((clock === null ? Date.now() : Date.parse(clock.now)) + hours * HOUR_MS);
    await waitFor(() => this.clockReached(target), {
      what: `the clock to advance by ${hours} hours`,
      withinMs: STATE_WITHIN_MS,
      everyMs: POLL_EVERY_MS,
    });
  }

  /** Waits until the payment has these fields. Repeats callbacks: a killed simulator loses the ones it had not sent. */
  async waitForState(expected: ExpectedState): Promise<void> {
    let last: PaymentBody | undefined;
    let resendAt = Date.now() + RESEND_CALLBACKS_AFTER_MS;
    const isReached = async (): Promise<boolean> => {
      last = await this.current();
      if (matches(last, expected)) return true;
      if (this.merchant.environment.withFaults && Date.now() > resendAt) {
        resendAt = Date.now() + RESEND_CALLBACKS_AFTER_MS;
        await this.sendCallbacks({});
      }
      return false;
    };
    const waiting = waitFor(isReached, { withinMs: STATE_WITHIN_MS, everyMs: POLL_EVERY_MS });
    await waiting.catch(() => this.assert(false, `it has ${describe(last, expected)}`));
  }

  /** The payment must have these fields now. */
  async expectState(expected: ExpectedState): Promise<void> {
    const payment = await this.current();
    this.assert(matches(payment, expected), `it has ${describe(payment, expected)}`);
  }

  assert(condition: boolean, message: string): void {
    if (!condition) throw new ScenarioError(message);
  }

  /** Throws before the payment exists. */
  get id(): string {
    if (this.created === undefined) throw new ScenarioError('there is no payment yet');
    return this.created.transaction_id;
  }

  current(): Promise<PaymentBody> {
    return this.merchant.backend.find(this.id);
  }

  private recipients(authorize: boolean): readonly string[] {
    const { recipients } = this.merchant;
    const { gateway } = this.plan;
    const fallback = recipients.get('gateway_1') ?? [];
    return authorize && !supportsAuthorizeOnly(gateway) ? fallback : (recipients.get(gateway) ?? fallback);
  }

  private commonFields(splits?: readonly object[]): object {
    const { currency, customer } = paymentRequest();
    return {
      merchant_order_id: `order-${this.amount}`,
      amount: this.amount,
      gateway_first_try: this.plan.gateway,
      currency,
      customer,
      ...this.plan.furtherFields,
      ...(splits && { splits }),
    };
  }

  private async create(
    route: PaymentRouteRequest['route'],
    body: object,
    expected: PaymentBody['status'],
  ): Promise<boolean> {
    const { chargeFault } = this.plan;
    const charge = expected === 'authorized' ? 'authorize' : 'charge';
    await this.script({ amount: this.amount, operation: charge }, chargeFault);
    this.creation = { route, body, key: newKey() };
    const result = await this.merchant.backend.send(this.creation);
    if (result.status !== 200) throw new ScenarioError(`the creation got ${JSON.stringify(result)}`);
    this.created = result.payment;
    const { status, message } = result.payment;
    if (status === expected) return true;
    const mayFail =
      this.merchant.environment.withFaults || mayDecline(chargeFault) || usesDecliningCard(body);
    this.assert(status === 'failed' && mayFail, `it is ${status} (${message}), expected ${expected}`);
    return false;
  }

  private async operate(route: PaymentRouteRequest['route'], body?: object): Promise<boolean> {
    const fault = this.plan.operationFaults[this.operations] ?? null;
    this.operations += 1;
    const operation = SCRIPTED_OPERATIONS[route];
    if (operation !== undefined) await this.script({ transaction_id: this.id, operation }, fault);
    const result = await this.merchant.backend.send(this.operationRequest(route, body));
    if (result.status === 200) return true;
    const mayFail =
      this.merchant.environment.withFaults || mayDecline(fault) || (await this.hasNoGatewayTransactionId());
    const isExpected = result.reason === 'gateway_refused' && mayFail;
    this.assert(isExpected, `${route} got ${JSON.stringify(result)}`);
    return false;
  }

  /** An operator resolved the charge as paid: without the gateway's id, the gateway cannot operate on it. */
  private async hasNoGatewayTransactionId(): Promise<boolean> {
    const { transactions } = await this.current();
    const charge = transactions.find(({ status }) => status === 'approved' || status === 'authorized');
    return charge?.gateway_transaction_id === null;
  }

  private operationRequest(route: PaymentRouteRequest['route'], body?: object): PaymentRouteRequest {
    return { route, transactionId: this.id, key: newKey(), ...(body === undefined ? {} : { body }) };
  }

  /** While the simulator is down it takes no scripts; its gateways then behave normally. */
  private async script(
    match: Parameters<SoakMerchant['environment']['simulator']['script']>[0],
    fault: InjectedGatewayFault | null,
  ): Promise<void> {
    if (fault === null) return;
    const { simulator, withFaults } = this.merchant.environment;
    const scripted = simulator.script(match, fault.behavior, fault.times);
    await (withFaults ? scripted.catch(() => undefined) : scripted);
  }

  /** Whether the clock has reached the target; sets the target first, if it is not set. */
  private async clockReached(target: Date): Promise<boolean> {
    const { clock } = await this.current();
    if (clock !== null && Date.parse(clock.target) >= target.getTime()) return clock.reached;
    await this.merchant.backend.call('movePaymentClock', 200, {
      params: { id: this.id },
      body: { advance_to: target.toISOString() },
    });
    return false;
  }
}

const SCRIPTED_OPERATIONS = {
  capturePayment: 'capture',
  cancelPayment: 'cancel',
  refundPayment: 'refund',
  createCardPayment: undefined,
  createPixPayment: undefined,
  createBilletPayment: undefined,
} as const;

function usesDecliningCard(body: object): boolean {
  const number = (body as { card?: { number?: string } }).card?.number;
  return number !== undefined && number !== APPROVED_CARD;
}

function matches(payment: PaymentBody, expected: ExpectedState): boolean {
  return Object.entries(expected).every(([name, value]) => payment[name as keyof ExpectedState] === value);
}

function describe(payment: PaymentBody | undefined, expected: ExpectedState): string {
  if (payment === undefined) return 'an unknown state';
  const names = Object.keys(expected) as Array<keyof ExpectedState>;
  const shown = (state: ExpectedState): string => names.map((name) => `${name} ${state[name]}`).join(', ');
  return `${shown(payment)}; expected ${shown(expected)}`;
}
