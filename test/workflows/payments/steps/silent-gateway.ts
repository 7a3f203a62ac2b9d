import { pollPaymentStatus } from '../../../../activities/payments/poll-payment-status';
import type { ReportedChargeState } from '../../../../src/domain/payments/reported-charge-state';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import type { GatewayRegistry } from '../../../../src/gateways/registry';
import { SimulatorDriver } from '../../../../src/gateways/simulator/driver';
import type { Engine } from '../../../support/stack/engine';
import { type SteppedPayment, withCallbacks } from './stepped-payment';
import { sameGateways } from '../../../support/same-gateways';

type Truth = 'inquiry' | 'signed_callback';

/** The simulator's driver without inquiries. */
export class SilentDriver extends SimulatorDriver {
  constructor(private readonly truth: Truth = 'signed_callback') {
    super();
  }

  override capabilities(slug: GatewaySlug) {
    return { ...super.capabilities(slug), truth: this.truth };
  }

  override inquire() {
    return Promise.resolve({ kind: 'inconclusive', reason: 'no inquiries' } as const);
  }
}

/** Dependencies with a gateway without inquiries and these callbacks, and which of them were processed. */
export function withSilentGateway(
  engine: Engine,
  callbacks: Parameters<typeof withCallbacks>[1],
  truth?: Truth,
) {
  const { deps, processed } = withCallbacks(engine.deps, callbacks);
  const driver = () => new SilentDriver(truth);
  const capabilities = (slug: GatewaySlug) => driver().capabilities(slug);
  const registry = Object.assign(Object.create(deps.registries.of(1)) as GatewayRegistry, {
    driver,
    capabilities,
  });
  return { deps: { ...deps, registries: sameGateways(registry) }, processed };
}

export type PollOptions = readonly [
  callbacks: Parameters<typeof withCallbacks>[1],
  truth?: Truth,
  at?: number,
];

/** One poll of a payment with these callbacks; returns how many were processed. */
export async function pollSilently(
  engine: Engine,
  payment: SteppedPayment,
  ...[callbacks, truth, at = Date.now()]: PollOptions
) {
  const { deps, processed } = withSilentGateway(engine, callbacks, truth);
  const input = { companyId: payment.subject.company.id, transactionId: payment.id };
  const step = await pollPaymentStatus(deps, { ...input, at, offsetMs: 0 });
  return { processed: processed.length, step };
}

export async function chargeIdOf(engine: Engine, payment: SteppedPayment): Promise<string> {
  const [charge] = await engine.context.attempts.listByTransaction(payment.id);
  return charge?.id ?? '';
}

export const state = (change: Partial<ReportedChargeState>): ReportedChargeState => ({
  ...{ status: 'approved', capturedCents: 0, refundedCents: 0, paidCents: 0 },
  ...change,
});
