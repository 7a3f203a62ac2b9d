import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { LedgerEntry } from '../../../src/simulator/ledger';
import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { newResolutionId } from '../../../src/domain/shared/ids';
import { adminOf } from '../../support/fixtures/admin';
import { resolveUpdate } from '../../../workflows/messages';
import type { FaultStack } from './fault-stack';

interface StuckPayment {
  readonly companyId: number;
  readonly attemptId: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly gateway: GatewaySlug;
}

const MONEY_MOVED: ReadonlySet<LedgerEntry['kind']> = new Set([
  ...(['authorized', 'paid', 'captured', 'canceled', 'refunded'] as const),
]);
const LOOK_EVERY_MS = 200;
const LOOK_AGAIN_AFTER_MS = 300;
const UPDATE_WITHIN_MS = 5_000;

/**
 * The person at the stuck-payment desk: looks at the gateway's own books and says what is in them. Where the gateway
 * can tell, the engine is to ask it again.
 */
export class Person {
  /** Whom they were asked about: transaction id to gateway. */
  readonly asked = new Map<string, GatewaySlug>();
  private isAway = false;
  private readonly leaving = new AbortController();
  private readonly working: Promise<void>;

  constructor(private readonly stack: Pick<FaultStack, 'db' | 'temporal' | 'simulator'>) {
    this.working = this.work();
  }

  /** Looks at nothing for as long as this takes. */
  async awayDuring(work: () => Promise<void>): Promise<void> {
    this.isAway = true;
    await work().finally(() => (this.isAway = false));
  }

  async leave(): Promise<void> {
    this.leaving.abort();
    await this.working;
  }

  private async work(): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      // Whatever is down just now comes back, and so does this payment.
      if (!this.isAway) await this.look().catch(() => undefined);
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    await Promise.allSettled((await this.desk()).map((stuck) => this.resolve(stuck)));
  }

  private async resolve(stuck: StuckPayment): Promise<void> {
    const outcome = idempotencySupport(stuck.gateway) === 'none' ? await this.judge(stuck) : 'retry';
    const handle = this.stack.temporal.workflow.getHandle(`payment/${stuck.transactionId}`);
    const { userId, requestId } = await adminOf(this.stack, stuck.companyId);
    const { attemptId } = stuck;
    const word = {
      resolutionId: newResolutionId(),
      attemptId,
      outcome,
      reason: 'seen in the ledger',
    } as const;
    const resolution = { ...word, resolvedBy: String(userId), requestId };
    try {
      await this.stack.temporal.withDeadline(Date.now() + UPDATE_WITHIN_MS, () =>
        handle.executeUpdate(resolveUpdate, { args: [resolution] }),
      );
    } catch (error) {
      // Seen on the desk just as it was leaving it: nobody has asked.
      if (error instanceof WorkflowUpdateFailedError) return;
      if (error instanceof WorkflowNotFoundError) return;
    }
    this.asked.set(stuck.transactionId, stuck.gateway);
  }

  private desk(): Promise<StuckPayment[]> {
    return this.stack.db.query<StuckPayment>(
      `SELECT p.company_id AS "companyId", p.transaction_id AS "transactionId", a.id AS "attemptId", a.reference, a.gateway_slug AS gateway
       FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
       WHERE p.stuck_at IS NOT NULL AND a.status IN ('sent', 'unknown')`,
    );
  }

  /** Looks twice: a gateway that was frozen answers the question before it has worked off what had waited. */
  private async judge(stuck: StuckPayment): Promise<'paid' | 'absent'> {
    for (const waitMs of [0, LOOK_AGAIN_AFTER_MS]) {
      await delay(waitMs);
      const entries = await this.entriesOf(stuck);
      if (entries.some(({ kind }) => MONEY_MOVED.has(kind))) return 'paid';
      await Promise.all(
        entries.filter(({ kind }) => kind === 'pending').map((entry) => this.withdraw(entry)),
      );
    }
    return 'absent';
  }

  private async entriesOf({ transactionId, reference }: StuckPayment): Promise<LedgerEntry[]> {
    const { entries } = await this.stack.simulator.ledger(transactionId);
    return entries.filter((entry) => entry.reference === reference);
  }

  /** A pix or billet that nobody got to see is taken back at the gateway, on its own pages, before it is called absent. */
  private async withdraw({ gateway, reference, charge_id, amount }: LedgerEntry): Promise<void> {
    const { simulator } = this.stack;
    const withdrawal = `${reference}-withdrawal`;
    await simulator.script({ transaction_id: withdrawal, operation: 'cancel' }, { callback: false });
    await fetch(`${simulator.url}/${gateway}/charges/${charge_id}/cancels`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_person' },
      body: JSON.stringify({ reference: withdrawal, amount }),
    });
  }
}
