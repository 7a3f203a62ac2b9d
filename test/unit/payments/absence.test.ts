import { absenceProvenAfterMs } from '../../../activities/payments/gateways/absence';
import type { PaymentDeps } from '../../../activities/payments/payment-deps';
import { AsaasDriver } from '../../../src/gateways/asaas/driver';
import { CieloDriver } from '../../../src/gateways/cielo/driver';
import { MercadoPagoDriver } from '../../../src/gateways/mercadopago/driver';
import { PagarmeDriver } from '../../../src/gateways/pagarme/driver';

it('"not found" proves absence only after the settling time of the gateway that was asked', () => {
  const settles = new Map([
    ['gateway_1', 0],
    ['gateway_4', 3_600_000],
  ]);
  const deps = {
    settings: { absenceProvenAfterMs: 20_000 },
    registries: { of: () => ({ capabilities: (slug: string) => ({ lookupSettlesMs: settles.get(slug) }) }) },
  } as unknown as Pick<PaymentDeps, 'settings' | 'registries'>;
  expect(absenceProvenAfterMs(deps, { companyId: 1, gatewaySlug: 'gateway_1' })).toBe(20_000);
  expect(absenceProvenAfterMs(deps, { companyId: 1, gatewaySlug: 'gateway_4' })).toBe(3_620_000);
});

it.each([new AsaasDriver(), new CieloDriver(), new MercadoPagoDriver(), new PagarmeDriver()])(
  '$name does not say how far its lists lag, so "not found" proves absence only ten minutes later',
  (driver) => {
    expect(driver.capabilities().lookupSettlesMs).toBe(600_000);
  },
);
