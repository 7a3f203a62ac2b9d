import type { LedgerAccount } from '../../../src/domain/ledger/journal';
import type { PaymentBody } from '../../../src/presenters/payment';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import type { EngineApi } from '../../api/support/engine-api';
import { found, newKey, to } from '../../api/support/payment-scenario';
import { paymentRequest } from '../../support/fixtures/payments';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import type { DisputePlan, DisputeStep } from './dispute-plan';
import { ReportedDispute, untilProcessed } from './dispute-scenario';

export interface DisputeMerchant {
  readonly api: EngineApi;
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
}

type Status = 'opened' | 'won' | 'lost';

/** A payment with at most one dispute, at the real stack: money moves at the simulator, and callbacks arrive as the plan says. */
export class DisputedPayment {
  private dispute: {
    readonly id: string;
    readonly amount: number;
    readonly reported: ReportedDispute;
  } | null = null;
  private status: Status | null = null;
  /** The callbacks of all changes, in the order of the gateway's clock. */
  private readonly callbacks: Array<Record<string, unknown>> = [];

  private constructor(
    private readonly merchant: DisputeMerchant,
    private readonly payment: PaymentBody,
    private readonly amount: number,
  ) {}

  /** Plays the plan until nothing is under way any more. */
  static async play(merchant: DisputeMerchant, plan: DisputePlan): Promise<DisputedPayment> {
    const amount = uniqueAmount();
    const { simulator } = merchant.api.engine;
    if (plan.start === 'late') {
      const match = { gateway: 'gateway_1', amount, operation: 'charge' } as const;
      await simulator.script(match, { drop: 'after' });
    }
    const body = paymentRequest({ amount, capture: plan.start !== 'authorization' });
    const created = await merchant.byKey('createCardPayment', { body, headers: newKey() });
    const payment = created.body as PaymentBody;
    const played = new DisputedPayment(merchant, payment, amount);
    for (const step of plan.steps) await played.step(step);
    await played.settle(plan.order);
    return played;
  }

  private async step(step: DisputeStep): Promise<void> {
    switch (step.kind) {
      case 'capture':
        // Refused unless the payment is authorized.
        await this.merchant.byKey('capturePayment', to(this.payment, { body: {} }));
        return;
      case 'refund':
        return this.refund(step);
      case 'finish_refund':
        await this.finishRefund();
        return;
      case 'dispute':
        return this.changeDispute(step);
      case 'callback':
        return this.deliver(this.callbacks[step.number % Math.max(1, this.callbacks.length)]);
    }
  }

  /** Refused if it exceeds what is left or disputed. */
  private async refund({ part, slow }: DisputeStep & { readonly kind: 'refund' }): Promise<void> {
    const { transaction_id } = this.payment;
    if (slow) {
      const match = { transaction_id, operation: 'refund' } as const;
      await this.merchant.api.engine.simulator.script(match, { pending_then: 'executed' });
    }
    const body = { amount: Math.max(1, Math.round(this.amount * part)) };
    await this.merchant.byKey('refundPayment', to(this.payment, { body, headers: newKey() }));
  }

  /** False if none is in flight at the gateway. */
  private async finishRefund(): Promise<boolean> {
    const { simulator } = this.merchant.api.engine;
    try {
      await simulator.finishOperation(this.payment.transaction_id, { operation: 'refund' });
      return true;
    } catch {
      return false;
    }
  }

  private async changeDispute({ part, isWon }: DisputeStep & { readonly kind: 'dispute' }): Promise<void> {
    const { simulator } = this.merchant.api.engine;
    const { transaction_id } = this.payment;
    if (this.dispute === null) {
      const { captured } = (await simulator.ledger(transaction_id)).totals;
      if (captured === 0) return;
      const amount = Math.max(1, Math.round(captured * part));
      const { id } = await simulator.openDispute(transaction_id, { amount });
      const reported = new ReportedDispute(this.merchant.api, this.payment, id);
      this.dispute = { id, amount, reported };
      return this.report('opened', 0);
    }
    const { id, amount } = this.dispute;
    if (this.status !== 'opened') {
      await simulator.changeDispute(id, { status: 'reopened' });
      return this.report('opened', 0);
    }
    const returned = isWon ? Math.max(1, Math.round(amount * part)) : 0;
    await simulator.changeDispute(id, isWon ? { status: 'won', returned } : { status: 'lost' });
    return this.report(isWon ? 'won' : 'lost', returned);
  }

  private report(status: Status, returned_amount: number): void {
    if (this.dispute === null) return;
    const { amount, reported } = this.dispute;
    this.status = status;
    const after = this.callbacks.length;
    this.callbacks.push(reported.callback({ status, amount, returned_amount, after }));
  }

  private async deliver(callback: Record<string, unknown> | undefined): Promise<void> {
    if (callback !== undefined) await this.dispute?.reported.send(callback);
  }

  /** All callbacks arrive in the plan's order, and every refund gets its result. */
  private async settle(order: readonly number[]): Promise<void> {
    const keyed = this.callbacks.map(
      (callback, index) => [order[index % order.length] ?? 0, callback] as const,
    );
    for (const [, callback] of keyed.toSorted(([a], [b]) => a - b)) await this.deliver(callback);
    await waitFor(
      async () => {
        await this.merchant.api.engine.sweeper.sweepOnce();
        await this.finishRefund();
        // Nothing tells the engine that a slow refund is done, so it is asked to look.
        await this.merchant.byToken('inquirePayment', { params: { id: this.payment.transaction_id } });
        const { status, pending_operations } = await found(this.merchant.byKey, this.payment);
        return status !== 'processing' && pending_operations.length === 0;
      },
      { what: 'the payment to rest', everyMs: 500 },
    );
    await untilProcessed(this.merchant.api, this.payment);
  }

  /** The money by the engine's records, by its ledger and by the simulator's, in cents. */
  async money() {
    const { api, byKey, byToken } = this.merchant;
    const { transaction_id } = this.payment;
    const payment = await found(byKey, this.payment);
    const { data } = expectStatus(
      await byToken('listLedgerEntries', { query: { transaction_id, per_page: 100 } }),
      200,
    ).body;
    const postings = data.flatMap((entry) => entry.postings);
    const balance = (account: LedgerAccount): number =>
      postings.reduce((sum, each) => sum + (each.account === account ? each.amount : 0), 0);
    const { totals } = await api.engine.simulator.ledger(transaction_id);
    return {
      engine: {
        captured: payment.captured_amount,
        refunded: payment.refunded_amount,
        disputed: payment.disputed_amount,
      },
      ledger: {
        captured: 0 - balance('sales'),
        refunded: balance('refunds'),
        disputed: balance('dispute_hold') + balance('dispute_losses'),
      },
      simulator: { captured: totals.captured, refunded: totals.refunded, disputed: totals.disputed },
      /** What the gateway owes the company. */
      owed: balance('gateway_receivable') + balance('gateway_balance'),
      sum: postings.reduce((sum, { amount }) => sum + amount, 0),
    };
  }
}
