import { setTimeout as delay } from 'node:timers/promises';
import { supportsAuthorizeOnly, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import { Merchant, type MerchantOrder } from '../../support/merchant/merchant';
import type { PlannedFault, PlannedPayment, RoundPlan } from './fault-plan';
import { runRoutes, type RoutesReport } from '../../support/subscriptions/routes';
import { WORKERS, type FaultStack } from './fault-stack';
import { invariantViolations, waitUntilSettled } from './invariants';
import { Operator } from './operator';
import { injectProcessFault, measureRecovery, type Recovery } from './recovery';
import type { FaultProcessName } from './stack-messages';
import type { WebhookListener } from './webhook-listener';

export interface RoundReport {
  readonly violations: readonly string[];
  readonly recoveries: readonly Recovery[];
  readonly orders: readonly MerchantOrder[];
  readonly merchants: readonly Merchant[];
  readonly manualReviews: number;
  readonly subscriptions: RoutesReport;
}

/** Not the one that a fault of `one worker` kills. */
const FROZEN_WORKER = 'worker-2';
const MAX_STOP_MS = 4_000;
/** Of the gateways that settle through the platform, the one that supports only idempotency keys and no lookup. */
const PLATFORM_GATEWAY: GatewaySlug = 'gateway_6';

/** Runs a plan on a stack, waits until every payment has settled, and checks the invariants. */
export class Round {
  private readonly orders: MerchantOrder[] = [];
  private readonly paying: Promise<void>[] = [];

  private constructor(
    private readonly stack: FaultStack,
    private readonly plan: RoundPlan,
    private readonly merchants: readonly Merchant[],
    private readonly platform: WebhookListener,
    private readonly subscribed: Merchant,
  ) {}

  /** `platform` belongs to the merchant that uses the platform's gateways, and receives its webhooks. */
  static async run(stack: FaultStack, plan: RoundPlan, platform: WebhookListener): Promise<RoundReport> {
    const merchants = await Promise.all(plan.routes.map((route) => Merchant.register(stack, route)));
    const subscribed = await Merchant.register(stack, ['gateway_1', 'gateway_4']);
    return new Round(stack, plan, merchants, platform, subscribed).run();
  }

  private get platformMerchant(): Merchant {
    return this.platform.merchant;
  }

  private async run(): Promise<RoundReport> {
    const { stack, orders } = this;
    const operator = new Operator(stack);
    const recoveries: Recovery[] = [];
    const subscribing = runRoutes(stack, this.subscribed, this.plan.subscriptions);
    let subscriptions: RoutesReport;
    try {
      const freezing = this.freezeOneWorker();
      for (const phase of this.plan.phases) {
        const payments = Promise.all(phase.payments.map((payment) => this.payLater(payment)));
        await delay(phase.faultAfterMs);
        recoveries.push(await this.injectFault(phase.fault));
        await payments;
      }
      await freezing;
      await Promise.all(this.paying);
      subscriptions = await subscribing;
      await waitUntilSettled(stack, orders);
      await Promise.all([stack.workersReady(), stack.apiReady()]);
    } finally {
      await operator.stop();
    }
    const reviewer = freezesSimulator(this.plan) ? undefined : operator;
    return {
      violations: [
        ...(await invariantViolations(stack, orders, reviewer)),
        ...(await this.platform.violations()),
        ...subscriptions.violations.map((violation) => `I11: ${violation}`),
      ],
      recoveries,
      orders,
      merchants: [...this.merchants, this.platformMerchant, this.subscribed],
      manualReviews: (await operator.reviewedPayments()).size,
      subscriptions,
    };
  }

  /** While other processes are killed: tasks that Temporal gives to the frozen worker are lost until they time out. */
  private async freezeOneWorker(): Promise<void> {
    const { frozenWorkerMs } = this.plan;
    if (frozenWorkerMs === null) return;
    const resume = this.stack.freeze(FROZEN_WORKER);
    await delay(frozenWorkerMs);
    resume();
  }

  private async payLater({ route, capture, behavior, afterMs }: PlannedPayment): Promise<void> {
    await delay(afterMs);
    const gateways = route === undefined ? [PLATFORM_GATEWAY] : (this.plan.routes[route] ?? []);
    const merchant = (route === undefined ? undefined : this.merchants[route]) ?? this.platformMerchant;
    const order = merchant.order({
      capture: capture || !gateways.some(supportsAuthorizeOnly),
      ...(route === undefined ? { gatewayFirstTry: PLATFORM_GATEWAY } : {}),
    });
    // While the simulator is down it takes no scripts; the gateway then behaves normally.
    if (behavior !== null)
      await this.stack.simulator.script({ amount: order.amount }, behavior).catch(() => undefined);
    this.pay(order);
  }

  private pay(order: MerchantOrder, signal?: AbortSignal): void {
    this.orders.push(order);
    this.paying.push(order.merchant.pay(order, signal));
  }

  private async injectFault(fault: PlannedFault): Promise<Recovery> {
    const { stack } = this;
    if (fault.kind === 'failpoint') {
      const armed = stack.arm(fault.name, fault.action, processesReaching(fault.name));
      this.pay(this.platformMerchant.order());
      const name = await armed.triggered();
      if (fault.action === 'stop') {
        await delay(Math.min(fault.forMs, MAX_STOP_MS));
        stack.resume(name);
      }
    } else {
      await injectProcessFault(stack, fault);
    }
    const withFrozenWorker = this.plan.frozenWorkerMs !== null;
    return measureRecovery(fault, () => this.createProbe(), { withFrozenWorker });
  }

  private createProbe(): MerchantOrder {
    const probe = this.platformMerchant.order();
    this.pay(probe);
    return probe;
  }
}

/** While the simulator is frozen no gateway can be asked for outcomes, so any payment may need a manual review. */
function freezesSimulator({ phases }: RoundPlan): boolean {
  return phases.some(({ fault }) => fault.kind === 'freeze' && fault.target === 'simulator');
}

function processesReaching(name: FailpointName): readonly FaultProcessName[] {
  return name === 'payment-committed' || name === 'answer-ready' ? ['api'] : ['api', ...WORKERS];
}
