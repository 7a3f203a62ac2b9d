import type { Capabilities } from '../../../../src/domain/routing/routing';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { SteppedPayment } from './stepped-payment';

/* What gateways cannot do, and how routing learns and follows it. */

type Deps = Engine['deps'];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

/** Dependencies in which gateway_1 has other capabilities. */
function withCapabilities(change: Partial<Capabilities>): Deps {
  const { deps } = engine;
  const capabilities = (slug: GatewaySlug): Capabilities => ({
    ...deps.registry.capabilities(slug),
    ...(slug === 'gateway_1' && change),
  });
  const registry = Object.create(deps.registry, {
    capabilities: { value: capabilities },
  }) as Deps['registry'];
  return { ...deps, registry };
}

describe('a pix at a gateway where each expires after two hours', () => {
  const TWO_HOURS_S = 7_200;
  const deps = () => withCapabilities({ pixExpiry: { kind: 'fixed', seconds: TWO_HOURS_S } });
  const newPix = (change: object) => SteppedPayment.create(engine, 'pix', ['gateway_1', 'gateway_4'], change);

  it('that asks for another expiry goes to the next gateway', async () => {
    const payment = await newPix({ pix_expires_in: 3_600 });
    const { attemptId } = await payment.next(deps());
    expect(await payment.attempt(attemptId)).toMatchObject({ gatewaySlug: 'gateway_4' });
  });

  it('that asks for none gets the two hours, and not the company’s default', async () => {
    const payment = await newPix({ pix_expires_in: null });
    const worker = await payment.next(deps());
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ gatewaySlug: 'gateway_1' });
    const sentAt = Date.now();
    await worker.record(await worker.send());
    const { expiresAt } = await payment.row();
    expect(Math.round((+(expiresAt ?? 0) - sentAt) / 60_000)).toBe(TWO_HOURS_S / 60);
  });
});
