import { absenceProvenAfterMs } from '../../../activities/payments/gateways/absence';
import type { PaymentDeps } from '../../../activities/payments/payment-deps';

it('"not found" proves absence only after the settling time of the gateway that was asked', () => {
  const settles = new Map([
    ['gateway_1', 0],
    ['gateway_4', 3_600_000],
  ]);
  const deps = {
    settings: { absenceProvenAfterMs: 20_000 },
    registry: { capabilities: (slug: string) => ({ lookupSettlesMs: settles.get(slug) }) },
  } as unknown as Pick<PaymentDeps, 'settings' | 'registry'>;
  expect(absenceProvenAfterMs(deps, 'gateway_1')).toBe(20_000);
  expect(absenceProvenAfterMs(deps, 'gateway_4')).toBe(3_620_000);
});
