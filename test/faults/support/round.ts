import { setTimeout as delay } from 'node:timers/promises';
import { mayAuthorizeOnly, type GatewaySlug } from '../../../src/domain/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import { WORKERS, type FaultStack } from './fault-stack';
import { untilSettled, violations } from './invariants';
import { Merchant, resultOf, type Order } from './merchant';
import { Person } from './person';
import { partsOf, type Plan, type PlannedFault, type PlannedPayment } from './plan';
import type { PartName } from './stack-messages';

export interface Recovery {
  readonly fault: PlannedFault;
  /** From the kill, or from the end of a freeze, until a payment begun after it is answered with its result. */
  readonly ms: number;
  readonly limitMs: number;
}

export interface RoundReport {
  readonly violations: readonly string[];
  readonly recoveries: readonly Recovery[];
  readonly orders: readonly Order[];
  readonly merchants: readonly Merchant[];
  readonly askedOfPerson: number;
}

const PROBE_EVERY_MS = 250;
/** After a kill. */
export const RECOVERED_WITHIN_MS = 15_000;
/** A frozen worker holds polls that Temporal answers with tasks: those are lost until they time out. */
const RECOVERED_FROM_FREEZE_WITHIN_MS = 60_000;
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
    private readonly platformMerchant: Merchant,
  ) {}

  static async play(stack: FaultStack, plan: Plan, platformMerchant: Merchant): Promise<RoundReport> {
    const merchants = await Promise.all(plan.routes.map((route) => Merchant.register(stack, route)));
    return new Round(stack, plan, merchants, platformMerchant).play();
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
      await stack.workersReady();
    } finally {
      await person.leave();
    }
    return {
      violations: await violations(stack, orders, silencesGateways(this.plan) ? undefined : person),
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
    switch (fault.kind) {
      case 'kill':
        await Promise.all(partsOf(fault.victim).map((part) => stack.kill(part)));
        break;
      case 'freeze': {
        const thaws = partsOf(fault.victim).map((part) => stack.freeze(part));
        await delay(fault.forMs);
        for (const thaw of thaws) thaw();
        break;
      }
      case 'failpoint': {
        const trap = stack.arm(fault.name, fault.action, whoReaches(fault.name));
        this.pay(this.platformMerchant.order());
        const part = await trap.sprung();
        if (fault.action === 'stop') {
          await delay(Math.min(fault.forMs, FAILPOINT_WITHIN_MS));
          stack.thaw(part);
        }
        break;
      }
    }
    const killed = fault.kind === 'kill' || (fault.kind === 'failpoint' && fault.action === 'kill');
    const limitMs = killed ? RECOVERED_WITHIN_MS : RECOVERED_FROM_FREEZE_WITHIN_MS;
    return { fault, ms: await this.untilPaymentsFlow(Date.now()), limitMs };
  }

  /** New payments are posted from now on, until one of them has its result. */
  private async untilPaymentsFlow(since: number): Promise<number> {
    const probes: Order[] = [];
    while (Date.now() - since < RECOVERED_FROM_FREEZE_WITHIN_MS) {
      const probe = this.platformMerchant.order();
      probes.push(probe);
      this.pay(probe);
      await delay(PROBE_EVERY_MS);
      const settled = probes.filter((order) => resultOf(order)?.status === 'approved');
      if (settled.length > 0) return Math.min(...settled.map(settledAt)) - since;
    }
    throw new Error(`payments do not flow again after ${RECOVERED_FROM_FREEZE_WITHIN_MS / 1000} s`);
  }
}

/** Nobody can tell what a silent gateway did: then every payment may end at a person's desk. */
function silencesGateways({ acts }: Plan): boolean {
  return acts.some(({ fault }) => fault.kind === 'freeze' && fault.victim === 'simulator');
}

function whoReaches(name: FailpointName): readonly PartName[] {
  return name === 'payment-committed' || name === 'answer-ready' ? ['api'] : WORKERS;
}

function settledAt(order: Order): number {
  return order.answers.at(-1)?.at ?? Infinity;
}
