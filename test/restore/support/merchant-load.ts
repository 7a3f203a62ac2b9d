import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Merchant } from '../../support/merchant/merchant';
import { send } from '../../support/merchant/requests';
import type { SimulatorControl } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import {
  operationRequest,
  paymentOf,
  paymentRequest,
  perform,
  type MerchantRequest,
} from './merchant-requests';

const LANES = 5;
const MAX_PURCHASES = 5_000;
const PAID_WITHIN_MS = 10_000;

/** One purchase, from its payment to what follows it. Times in ms. */
const purchase = fc.record({
  merchant: fc.nat(),
  then: fc.oneof(
    { weight: 4, arbitrary: fc.constant('nothing' as const) },
    { weight: 3, arbitrary: fc.constant('partial refunds' as const) },
    { weight: 2, arbitrary: fc.constantFrom('refund', 'capture', 'cancel') },
    { weight: 3, arbitrary: fc.constantFrom('pix', 'pix and refund') },
  ),
  isKeyed: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
  gateway: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 1_500 }).map((delay_ms) => ({ delay_ms })) },
    { weight: 1, arbitrary: fc.constant({ drop: 'after' as const }) },
  ),
  pauseMs: fc.integer({ min: 0, max: 400 }),
});
type Purchase = typeof purchase extends fc.Arbitrary<infer Value> ? Value : never;

/** Purchases of several merchants at once, which depend on the seed. */
export class MerchantLoad {
  readonly requests: MerchantRequest[] = [];
  private readonly stopping = new AbortController();
  private readonly purchases: Purchase[];
  private readonly running: Promise<void>;

  constructor(
    seed: number,
    private readonly merchants: readonly Merchant[],
    private readonly simulator: SimulatorControl,
  ) {
    this.purchases = fc.sample(purchase, { seed, numRuns: MAX_PURCHASES });
    this.running = Promise.all(Array.from({ length: LANES }, () => this.runLane())).then(() => undefined);
  }

  /** Returns when no request is on its way any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async runLane(): Promise<void> {
    for (let next = this.purchases.pop(); next !== undefined && !this.isStopped; next = this.purchases.pop())
      await this.buy(next);
  }

  private async buy({ merchant: index, then, isKeyed, gateway, pauseMs }: Purchase): Promise<void> {
    const merchant = this.merchants[index % this.merchants.length];
    if (merchant === undefined) throw new Error('there is no merchant');
    const isPix = then === 'pix' || then === 'pix and refund';
    const capture = then !== 'capture' && then !== 'cancel';
    const order = merchant.order({ capture, method: isPix ? 'pix' : 'card' });
    if (gateway !== null) await this.simulator.script({ amount: order.amount }, gateway);
    const payment = this.add(paymentRequest(order, isKeyed || then !== 'nothing'));
    if (!(await perform(payment, this.stopping.signal))) return;
    await this.pause(pauseMs);
    if (isPix && !this.isStopped) await this.payPix(payment);
    for (const operation of operationsOf(then, order.amount)) {
      if (this.isStopped) return;
      const request = this.add(operationRequest(operation.kind, payment, operation.amount));
      if (!(await perform(request, this.stopping.signal))) return;
      await this.pause(pauseMs);
    }
  }

  private add(request: MerchantRequest): MerchantRequest {
    this.requests.push(request);
    return request;
  }

  private async payPix(payment: MerchantRequest): Promise<void> {
    const id = paymentOf(payment)?.transaction_id ?? '';
    await this.simulator.pay(id);
    const request = payment.merchant.authorizedRequest('GET', `/payments/${id}`);
    const isPaid = async (): Promise<boolean> => {
      const outcome = this.isStopped ? null : await send(request);
      return outcome === null || (outcome.kind === 'http' && outcome.text.includes('"status":"approved"'));
    };
    await waitFor(isPaid, { what: 'the pix to be approved', withinMs: PAID_WITHIN_MS, everyMs: 100 });
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

function operationsOf(
  then: Purchase['then'],
  amount: number,
): Array<{ readonly kind: 'capture' | 'cancel' | 'refund'; readonly amount: number }> {
  switch (then) {
    case 'nothing':
    case 'pix':
      return [];
    case 'capture':
    case 'cancel':
      return [{ kind: then, amount }];
    case 'refund':
    case 'pix and refund':
      return [{ kind: 'refund', amount }];
    case 'partial refunds': {
      // Of the same amount, as two items of one price.
      const part = Math.floor(amount / 4);
      return [
        { kind: 'refund', amount: part },
        { kind: 'refund', amount: part },
      ];
    }
  }
}
