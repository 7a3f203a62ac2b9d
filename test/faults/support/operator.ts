import { setTimeout as delay } from 'node:timers/promises';
import { ManualResolutionRepository } from '../../../src/persistence/payments/manual-resolution-repository';
import type { LedgerEntry } from '../../../src/simulator/ledger';
import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { ResolutionOutcome } from '../../../src/domain/payments/manual-resolution';
import { newResolutionId } from '../../../src/domain/shared/ids';
import { adminOf } from '../../support/fixtures/admin';
import { resolveUpdate } from '../../../workflows/messages';
import type { FaultStack } from './fault-stack';

interface PaymentInReview {
  readonly companyId: number;
  readonly paymentId: number;
  readonly attemptId: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly gateway: GatewaySlug;
}

/** Kinds of ledger entries that show that the gateway carried out the request. */
const EXECUTED: ReadonlySet<LedgerEntry['kind']> = new Set([
  ...(['authorized', 'paid', 'captured', 'canceled', 'refunded'] as const),
]);
const POLL_EVERY_MS = 200;
const CONFIRM_AFTER_MS = 300;
const UPDATE_WITHIN_MS = 5_000;

/**
 * The operator who resolves manual reviews: resolves each stuck payment by what the gateway's ledger has. If the
 * gateway can be asked for the outcome, the operator only requests another inquiry.
 */
export class Operator {
  private readonly resolutionIds: string[] = [];
  private paused = false;
  private readonly abort = new AbortController();
  private readonly working: Promise<void>;

  /** `answers`: whether a gateway can be asked for an outcome. */
  constructor(
    private readonly stack: Pick<FaultStack, 'db' | 'temporal' | 'simulator'>,
    private readonly answers: (gateway: GatewaySlug) => boolean = (gateway) =>
      idempotencySupport(gateway) !== 'none',
  ) {
    this.working = this.run();
  }

  /** Resolves nothing while `work` runs. */
  async pauseDuring(work: () => Promise<void>): Promise<void> {
    this.paused = true;
    await work().finally(() => (this.paused = false));
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.working;
  }

  /**
   * The payments that got their result from the operator: transaction id to gateway. The rows say so, because the
   * response to an update is lost if the workflow ends first.
   */
  async reviewedPayments(): Promise<Map<string, GatewaySlug>> {
    const rows = await this.stack.db.query<{ transactionId: string; gateway: GatewaySlug }>(
      `SELECT p.transaction_id AS "transactionId", a.gateway_slug AS gateway
       FROM manual_resolutions r JOIN payments p ON p.id = r.payment_id JOIN gateway_attempts a ON a.id = r.attempt_id
       WHERE r.id = ANY($1) AND r.status = 'applied'`,
      [this.resolutionIds],
    );
    return new Map(rows.map(({ transactionId, gateway }) => [transactionId, gateway]));
  }

  private async run(): Promise<void> {
    const { signal } = this.abort;
    while (!signal.aborted) {
      // A server may be down because of an injected fault; the next round finds the same payments.
      if (!this.paused) await this.resolveStuckPayments().catch(() => undefined);
      await delay(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async resolveStuckPayments(): Promise<void> {
    await Promise.allSettled((await this.findStuckPayments()).map((stuck) => this.resolve(stuck)));
  }

  private async resolve(stuck: PaymentInReview): Promise<void> {
    const { attemptId, paymentId, transactionId, gateway, companyId } = stuck;
    const outcome: ResolutionOutcome = this.answers(gateway) ? 'retry' : await this.determineOutcome(stuck);
    const handle = this.stack.temporal.workflow.getHandle(`payment/${transactionId}`);
    const { userId, requestId } = await adminOf(this.stack, companyId);
    const resolutionId = newResolutionId();
    this.resolutionIds.push(resolutionId);
    const resolution = {
      ...{ id: resolutionId, companyId, paymentId, attemptId, outcome, userId, requestId },
      reason: 'found in the ledger',
      gatewayTransactionId: null,
    } as const;
    const resolutions = new ManualResolutionRepository(this.stack.db);
    await this.stack.db.inTransaction(async (tx) => {
      await resolutions.insert(tx, resolution, new Date());
      // The update below may be lost, and the sweeper must then wake the workflow.
      await this.stack.db.query('UPDATE payments SET recover_after = now() WHERE id = $1', [paymentId], tx);
    });
    // If this fails, the payment has its result without the operator, or the sweeper finds the row.
    await this.stack.temporal
      .withDeadline(Date.now() + UPDATE_WITHIN_MS, () =>
        handle.executeUpdate(resolveUpdate, { args: [{ resolutionId }] }),
      )
      .catch(() => undefined);
  }

  private findStuckPayments(): Promise<PaymentInReview[]> {
    return this.stack.db.query<PaymentInReview>(
      `SELECT p.company_id AS "companyId", p.id AS "paymentId", p.transaction_id AS "transactionId", a.id AS "attemptId", a.reference, a.gateway_slug AS gateway
       FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
       WHERE p.stuck_at IS NOT NULL AND a.status IN ('sent', 'unknown')
         AND a.escalated_at IS NOT NULL AND a.open_resolution_id IS NULL`,
    );
  }

  /** Reads the ledger twice: a gateway that was frozen may answer the query before it has processed queued requests. */
  private async determineOutcome(stuck: PaymentInReview): Promise<'paid' | 'absent'> {
    for (const waitMs of [0, CONFIRM_AFTER_MS]) {
      await delay(waitMs);
      const entries = await this.ledgerEntries(stuck);
      if (entries.some(({ kind }) => EXECUTED.has(kind))) return 'paid';
      await Promise.all(
        entries.filter(({ kind }) => kind === 'pending').map((entry) => this.cancelPending(entry)),
      );
    }
    return 'absent';
  }

  private async ledgerEntries({ transactionId, reference }: PaymentInReview): Promise<LedgerEntry[]> {
    const { entries } = await this.stack.simulator.ledger(transactionId);
    return entries.filter((entry) => entry.reference === reference);
  }

  /** Cancels a pix or billet at the gateway, as in the gateway's own dashboard, before it is reported absent. */
  private async cancelPending({ gateway, reference, charge_id, amount }: LedgerEntry): Promise<void> {
    const { simulator } = this.stack;
    const cancellation = `${reference}-withdrawal`;
    await simulator.script({ transaction_id: cancellation, operation: 'cancel' }, { callback: false });
    await fetch(`${simulator.url}/${gateway}/charges/${charge_id}/cancels`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_operator' },
      body: JSON.stringify({ reference: cancellation, amount }),
    });
  }
}
