import { setTimeout as delay } from 'node:timers/promises';
import { mayAuthorizeOnly, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import { WORKERS, type FaultStack } from './fault-stack';
import { untilSettled, violations } from './invariants';
import type { Listener } from './listener';
import { Merchant, type Order } from './merchant';
import { Person } from './operator';
import type { Plan, PlannedFault, PlannedPayment } from './fault-plan';
import { recover, strike, type Recovery } from './recovery';
import type { ProcessName } from './stack-messages';

export interface RoundReport {
  readonly violations: readonly string[];
  readonly recoveries: readonly Recovery[];
  readonly orders: readonly Order[];
  readonly merchants: readonly Merchant[];
  readonly askedOfPerson: number;
}

const FAILPOINT_WITHIN_MS = 4_000;
/** Of the gateways that settle through the platform, the one that can only be asked by sending the same key again. */
const PLATFORM_GATEWAY: GatewaySlug = 'gateway_6';

/** Plays a plan on a stack, waits until everything has settled, and looks at what is left. */
export class Round {
  private readonly orders: Order[] = [];
  private readonly paying: Promise<void>[] = [];

  private constructor(
    private readonly stack: FaultStack,
    private readonly plan: Plan,
    private readonly merchants: readonly Merchant[],
    private readonly platform: Listener,
  ) {}

  /** `platform` is the merchant who may use the platform's gateways, and is told of what becomes of their payments. */
  static async play(stack: FaultStack, plan: Plan, platform: Listener): Promise<RoundReport> {
    const merchants = await Promise.all(plan.routes.map((route) => Merchant.register(stack, route)));
    return new Round(stack, plan, merchants, platform).play();
  }

  private get platformMerchant(): Merchant {
    return this.platform.merchant;
  }

  private async play(): Promise<RoundReport> {
    const { stack, orders } = this;
    const person = new Person(stack);
    const recoveries: Recovery[] = [];
    try {
      for (const act of this.plan.acts) {
        const payments = Promise.all(act.payments.map((payment) => this.payLater(payment)));
        await delay(act.faultAfterMs);
        recoveries.push(await this.inflict(act.fault));
        await payments;
      }
      await Promise.all(this.paying);
      await untilSettled(stack, orders);
      await Promise.all([stack.workersReady(), stack.apiReady()]);
    } finally {
      await person.leave();
    }
    const asked = silencesGateways(this.plan) ? undefined : person;
    return {
      violations: [...(await violations(stack, orders, asked)), ...(await this.platform.violations())],
      recoveries,
      orders,
      merchants: [...this.merchants, this.platformMerchant],
      askedOfPerson: person.asked.size,
    };
  }

  private async payLater({ route, capture, behavior, afterMs }: PlannedPayment): Promise<void> {
    await delay(afterMs);
    const gateways = route === undefined ? [PLATFORM_GATEWAY] : (this.plan.routes[route] ?? []);
    const merchant = (route === undefined ? undefined : this.merchants[route]) ?? this.platformMerchant;
    const order = merchant.order({
      capture: capture || !gateways.some(mayAuthorizeOnly),
      ...(route === undefined ? { gatewayFirstTry: PLATFORM_GATEWAY } : {}),
    });
    // A simulator that is down has no scripts: the gateway then behaves.
    if (behavior !== null)
      await this.stack.simulator.script({ amount: order.amount }, behavior).catch(() => undefined);
    this.pay(order);
  }

  private pay(order: Order, signal?: AbortSignal): void {
    this.orders.push(order);
    this.paying.push(order.merchant.pay(order, signal));
  }

  private async inflict(fault: PlannedFault): Promise<Recovery> {
    const { stack } = this;
    if (fault.kind === 'failpoint') {
      const trap = stack.arm(fault.name, fault.action, whoReaches(fault.name));
      this.pay(this.platformMerchant.order());
      const part = await trap.sprung();
      if (fault.action === 'stop') {
        await delay(Math.min(fault.forMs, FAILPOINT_WITHIN_MS));
        stack.thaw(part);
      }
    } else {
      await strike(stack, fault);
    }
    return recover(fault, () => this.probe());
  }

  private probe(): Order {
    const probe = this.platformMerchant.order();
    this.pay(probe);
    return probe;
  }
}

/** Nobody can tell what a silent gateway did: then every payment may end at a person's desk. */
function silencesGateways({ acts }: Plan): boolean {
  return acts.some(({ fault }) => fault.kind === 'freeze' && fault.victim === 'simulator');
}

function whoReaches(name: FailpointName): readonly ProcessName[] {
  return name === 'payment-committed' || name === 'answer-ready' ? ['api'] : WORKERS;
}
