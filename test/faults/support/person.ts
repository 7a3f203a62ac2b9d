import { setTimeout as delay } from 'node:timers/promises';
import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import type { GatewaySlug } from '../../../src/domain/gateway-slug';
import { resolveUpdate } from '../../../workflows/messages';
import type { FaultStack } from './fault-stack';

interface StuckPayment {
  readonly transactionId: string;
  readonly reference: string;
  readonly gateway: GatewaySlug;
}

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
  private readonly leaving = new AbortController();
  private readonly working: Promise<void>;

  constructor(private readonly stack: FaultStack) {
    this.working = this.work();
  }

  async leave(): Promise<void> {
    this.leaving.abort();
    await this.working;
  }

  private async work(): Promise<void> {
    const { signal } = this.leaving;
    while (!signal.aborted) {
      // Whatever is down just now comes back, and so does this payment.
      await this.look().catch(() => undefined);
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    await Promise.allSettled((await this.desk()).map((stuck) => this.resolve(stuck)));
  }

  private async resolve(stuck: StuckPayment): Promise<void> {
    this.asked.set(stuck.transactionId, stuck.gateway);
    const outcome = idempotencySupport(stuck.gateway) === 'none' ? await this.judge(stuck) : 'retry';
    const handle = this.stack.temporal.workflow.getHandle(`payment/${stuck.transactionId}`);
    const resolution = { outcome, reason: 'seen in the ledger', resolvedBy: '1' } as const;
    await this.stack.temporal.withDeadline(Date.now() + UPDATE_WITHIN_MS, () =>
      handle.executeUpdate(resolveUpdate, { args: [resolution] }),
    );
  }

  private desk(): Promise<StuckPayment[]> {
    return this.stack.db.query<StuckPayment>(
      `SELECT p.transaction_id AS "transactionId", a.reference, a.gateway_slug AS gateway
       FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
       WHERE p.status = 'processing' AND p.stuck_at IS NOT NULL AND a.status IN ('sent', 'unknown')`,
    );
  }

  /** Looks twice: a gateway that was frozen answers the question before it has worked off what had waited. */
  private async judge(stuck: StuckPayment): Promise<'paid' | 'absent'> {
    if (await this.isCharged(stuck)) return 'paid';
    await delay(LOOK_AGAIN_AFTER_MS);
    return (await this.isCharged(stuck)) ? 'paid' : 'absent';
  }

  private async isCharged({ transactionId, reference }: StuckPayment): Promise<boolean> {
    const { entries } = await this.stack.simulator.ledger(transactionId);
    return entries.some((entry) => entry.reference === reference && entry.kind === 'authorized');
  }
}
