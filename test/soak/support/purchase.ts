import { mayAuthorizeOnly } from '../../../src/domain/shared/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import { APPROVED_CARD, BANK_ACCOUNT, paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { newKey, type MoneyRequest, type Result } from './backend';
import type { PlannedPurchase } from './month';
import type { Shop } from './soak-merchant';
import { mayRefuse, type Trouble } from './fault-injection';

export interface CardChoice {
  /** False only reserves the amount. */
  readonly capture?: boolean;
  readonly number?: string;
  /** The one that the regular customer has saved here. */
  readonly saved?: boolean;
  readonly save?: boolean;
  readonly splits?: readonly object[];
}

/** What a payment must have become. */
export type Ending = Partial<
  Pick<PaymentBody, 'status' | 'message' | 'code' | 'captured_amount' | 'refunded_amount' | 'paid_amount'>
>;

const BECOMES_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 200;
const ASK_AGAIN_AFTER_MS = 5_000;
const HOUR_MS = 3_600_000;

/** A story that does not go as it must. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
}

/**
 * One customer's purchase, in the words its stories are told in. What the gateway's troubles may lead to is known here;
 * anything else is a StoryError.
 */
export class Purchase {
  private created: PaymentBody | undefined;
  private creation: MoneyRequest | undefined;
  private operations = 0;

  constructor(
    private readonly shop: Shop,
    private readonly plan: PlannedPurchase,
  ) {}

  /** Null before the payment exists. */
  get transactionId(): string | null {
    return this.created?.transaction_id ?? null;
  }

  get amount(): number {
    return this.plan.amountCents;
  }

  /** Some of the amount, neither nothing nor all of it. */
  get part(): number {
    return Math.floor((this.amount * this.plan.part) / 100);
  }

  /** Between the florist, the courier and the gardener, at a gateway that has accounts of theirs. */
  sharedByPercent(options: { authorize?: boolean } = {}): object[] {
    const { part } = this.plan;
    const half = Math.floor((100 - part) / 2);
    const percents = [part, half, 100 - part - half];
    return this.recipients(options.authorize === true)
      .map((recipient_id, index) => ({ recipient_id, type: 'percentage', amount: percents[index] ?? 0 }))
      .filter(({ amount }) => amount > 0);
  }

  /** Between the florist and the courier. */
  sharedFlat(): object[] {
    const [florist, courier] = this.recipients(false);
    return [
      { recipient_id: florist, type: 'flat', amount: this.part },
      { recipient_id: courier, type: 'flat', amount: this.amount - this.part },
    ];
  }

  /** False when the customer was refused, as some are. */
  paysByCard(choice: CardChoice = {}): Promise<boolean> {
    const { capture = true, number = APPROVED_CARD, saved = false, save = false, splits } = choice;
    const { regular } = this.shop;
    const payer = saved
      ? { customer: { token: regular.token }, card: { token: regular.cardToken }, billing_address: null }
      : { card: rawCard(number), save_card: save };
    const body = { ...paymentRequest(), ...this.order(splits), ...payer, capture };
    return this.create('createCardPayment', body, capture ? 'approved' : 'authorized');
  }

  asksForPix(options: { expiresInSeconds?: number; splits?: readonly object[] } = {}): Promise<boolean> {
    const { expiresInSeconds, splits } = options;
    const body = { ...this.order(splits), ...(expiresInSeconds && { pix_expires_in: expiresInSeconds }) };
    return this.create('createPixPayment', body, 'pending');
  }

  asksForBillet(options: { dueAt?: string } = {}): Promise<boolean> {
    const body = { ...this.order(), ...(options.dueAt && { billet_due_at: options.dueAt }) };
    return this.create('createBilletPayment', body, 'pending');
  }

  /** The request of the payment again, so many times at once: each is answered alike. */
  async isSentAgain(times: number): Promise<void> {
    const { creation } = this;
    if (creation === undefined) throw new StoryError('nothing was sent');
    const results = await Promise.all(Array.from({ length: times }, () => this.shop.backend.send(creation)));
    for (const result of results) {
      const same = result.status === 200 && JSON.stringify(result.payment) === JSON.stringify(this.created);
      this.must(same, `sent again, it was answered ${JSON.stringify(result)}`);
    }
  }

  /** True once it is done; false when the gateway refused it, as some do. */
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

  /** Several operations at once; how each of them ended. */
  async atOnce(
    ...operations: ReadonlyArray<readonly [MoneyRequest['operation'], object?]>
  ): Promise<Result[]> {
    return Promise.all(
      operations.map(([operation, body]) => this.shop.backend.send(this.about(operation, body))),
    );
  }

  /** A request that is refused before anything is asked of the gateway. */
  async isRefused(operation: MoneyRequest['operation'], reason: string, body?: object): Promise<void> {
    const result = await this.shop.backend.send(this.about(operation, body));
    const refused = result.status !== 200 && result.reason === reason;
    this.must(refused, `${operation} was answered ${JSON.stringify(result)}, not ${reason}`);
  }

  /** The customer pays, at the gateway, until all that was paid is this much. */
  async customerPays(total: number = this.amount): Promise<void> {
    const { simulator } = this.shop.world;
    const paid = async (): Promise<boolean> => {
      const { totals } = await simulator.ledger(this.id);
      if (totals.captured < total) await simulator.pay(this.id, total - totals.captured);
      return (await simulator.ledger(this.id)).totals.captured === total;
    };
    // A simulator that is down comes back, and its ledger tells what it has taken.
    await waitFor(paid, { what: 'the customer to pay', withinMs: BECOMES_WITHIN_MS, everyMs: LOOK_EVERY_MS });
  }

  /** The gateway tells of it so many times more; `forge`: somebody else does, in its name. */
  async gatewayCalls(options: { times?: number; forge?: boolean }): Promise<void> {
    const { simulator, disturbed } = this.shop.world;
    const called = simulator.sendCallbacks(this.id, options);
    await (disturbed ? called.catch(() => undefined) : called);
  }

  /** From now on the gateway calls nobody about this payment. Say so before it is made. */
  async gatewayStaysSilent(): Promise<void> {
    await this.script({ amount: this.amount }, { behavior: { callback: false }, times: 1 });
  }

  /** The payment's own time goes on; whatever is due on the way happens. */
  async hoursPass(hours: number): Promise<void> {
    const { clock } = await this.now();
    const target = new Date((clock === null ? Date.now() : Date.parse(clock.now)) + hours * HOUR_MS);
    await waitFor(() => this.sendClock(target), {
      what: `${hours} hours to pass`,
      withinMs: BECOMES_WITHIN_MS,
      everyMs: LOOK_EVERY_MS,
    });
  }

  /** Waits until the payment has become so. What a gateway had to tell when it was killed it tells again when it is asked to. */
  async becomes(ending: Ending): Promise<void> {
    let last: PaymentBody | undefined;
    let askAgainAt = Date.now() + ASK_AGAIN_AFTER_MS;
    const became = async (): Promise<boolean> => {
      last = await this.now();
      if (agrees(last, ending)) return true;
      if (this.shop.world.disturbed && Date.now() > askAgainAt) {
        askAgainAt = Date.now() + ASK_AGAIN_AFTER_MS;
        await this.gatewayCalls({});
      }
      return false;
    };
    const waiting = waitFor(became, { withinMs: BECOMES_WITHIN_MS, everyMs: LOOK_EVERY_MS });
    await waiting.catch(() => this.must(false, `it became ${describe(last, ending)}`));
  }

  /** The payment is so now, and nothing is awaited. */
  async is(ending: Ending): Promise<void> {
    const payment = await this.now();
    this.must(agrees(payment, ending), `it is ${describe(payment, ending)}`);
  }

  must(condition: boolean, otherwise: string): void {
    if (!condition) throw new StoryError(otherwise);
  }

  private get id(): string {
    if (this.created === undefined) throw new StoryError('there is no payment yet');
    return this.created.transaction_id;
  }

  now(): Promise<PaymentBody> {
    return this.shop.backend.find(this.id);
  }

  private recipients(authorize: boolean): readonly string[] {
    const { recipients } = this.shop;
    const { gateway } = this.plan;
    const elsewhere = recipients.get('gateway_1') ?? [];
    return authorize && !mayAuthorizeOnly(gateway) ? elsewhere : (recipients.get(gateway) ?? elsewhere);
  }

  private order(splits?: readonly object[]): object {
    const { currency, customer } = paymentRequest();
    return {
      merchant_order_id: `order-${this.amount}`,
      amount: this.amount,
      gateway_first_try: this.plan.gateway,
      currency,
      customer,
      ...(splits && { splits }),
    };
  }

  private async create(
    operation: MoneyRequest['operation'],
    body: object,
    expected: PaymentBody['status'],
  ): Promise<boolean> {
    const { chargeTrouble } = this.plan;
    const charge = expected === 'authorized' ? 'authorize' : 'charge';
    await this.script({ amount: this.amount, operation: charge }, chargeTrouble);
    this.creation = { operation, body, key: newKey() };
    const result = await this.shop.backend.send(this.creation);
    if (result.status !== 200) throw new StoryError(`it was answered ${JSON.stringify(result)}`);
    this.created = result.payment;
    const { status, message } = result.payment;
    if (status === expected) return true;
    const mayFail = this.shop.world.disturbed || mayRefuse(chargeTrouble) || isBadCard(body);
    this.must(status === 'failed' && mayFail, `it was ${status} (${message}), not ${expected}`);
    return false;
  }

  private async operate(operation: MoneyRequest['operation'], body?: object): Promise<boolean> {
    const trouble = this.plan.operationTroubles[this.operations] ?? null;
    this.operations += 1;
    const kind = SCRIPTED[operation];
    if (kind !== undefined) await this.script({ transaction_id: this.id, operation: kind }, trouble);
    const result = await this.shop.backend.send(this.about(operation, body));
    if (result.status === 200) return true;
    const mayFail = this.shop.world.disturbed || mayRefuse(trouble) || (await this.isKnownByWordOnly());
    const refused = result.reason === 'gateway_refused' && mayFail;
    this.must(refused, `${operation} was answered ${JSON.stringify(result)}`);
    return false;
  }

  /** A person said that it was charged: then nobody knows what the gateway calls it, and it cannot be told to act on it. */
  private async isKnownByWordOnly(): Promise<boolean> {
    const { transactions } = await this.now();
    const charge = transactions.find(({ status }) => status === 'approved' || status === 'authorized');
    return charge?.gateway_transaction_id === null;
  }

  private about(operation: MoneyRequest['operation'], body?: object): MoneyRequest {
    return { operation, transactionId: this.id, key: newKey(), ...(body === undefined ? {} : { body }) };
  }

  /** A simulator that is down takes no scripts: its gateways then behave. */
  private async script(
    match: Parameters<Shop['world']['simulator']['script']>[0],
    trouble: Trouble | null,
  ): Promise<void> {
    if (trouble === null) return;
    const { simulator, disturbed } = this.shop.world;
    const scripted = simulator.script(match, trouble.behavior, trouble.times);
    await (disturbed ? scripted.catch(() => undefined) : scripted);
  }

  /** False until the clock is there. */
  private async sendClock(target: Date): Promise<boolean> {
    const { clock } = await this.now();
    if (clock !== null && Date.parse(clock.target) >= target.getTime()) return clock.reached;
    await this.shop.backend.ask('movePaymentClock', 200, {
      params: { id: this.id },
      body: { advance_to: target.toISOString() },
    });
    return false;
  }
}

const SCRIPTED = {
  capturePayment: 'capture',
  cancelPayment: 'cancel',
  refundPayment: 'refund',
  createCardPayment: undefined,
  createPixPayment: undefined,
  createBilletPayment: undefined,
} as const;

function isBadCard(body: object): boolean {
  const number = (body as { card?: { number?: string } }).card?.number;
  return number !== undefined && number !== APPROVED_CARD;
}

function agrees(payment: PaymentBody, ending: Ending): boolean {
  return Object.entries(ending).every(([name, value]) => payment[name as keyof Ending] === value);
}

function describe(payment: PaymentBody | undefined, ending: Ending): string {
  if (payment === undefined) return 'nobody knows what';
  const names = Object.keys(ending) as Array<keyof Ending>;
  const shown = (told: Ending): string => names.map((name) => `${name} ${told[name]}`).join(', ');
  return `${shown(payment)}; not ${shown(ending)}`;
}
