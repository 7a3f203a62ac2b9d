import { loadSandboxConfig } from '../../../src/config';
import { simulatedVendorsOf } from '../../../src/simulator/vendors/registry';

const vendorsWith = (env: Record<string, string>) => {
  const { simulator, gateways } = loadSandboxConfig(env);
  return simulatedVendorsOf(simulator.vendors, gateways.driverNames);
};
const unusual = (env: Record<string, string>) =>
  [...vendorsWith(env)].filter(([, vendor]) => vendor !== 'simulator');

it('the settings choose the vendor that the simulator plays at a slug, and no other slug changes', () => {
  const chosen = unusual({ SIMULATOR_GATEWAY_1: 'pagarme', SIMULATOR_GATEWAY_4: 'stripe' });
  expect(chosen).toEqual([
    ['gateway_1', 'pagarme'],
    ['gateway_4', 'stripe'],
  ]);
  expect(unusual({})).toEqual([]);
});

it('a vendor that is not simulated is refused with the name of the setting', () => {
  expect(() => vendorsWith({ SIMULATOR_GATEWAY_2: 'stripes' })).toThrow(
    'wrong settings: SIMULATOR_GATEWAY_2 must be one of simulator, stripe, pagarme',
  );
});

it('the simulator plays the vendor of a gateway’s driver, unless a setting says otherwise', () => {
  expect(unusual({ GATEWAY_4_DRIVER: 'stripe' })).toEqual([['gateway_4', 'stripe']]);
  expect(unusual({ GATEWAY_4_DRIVER: 'stripe', SIMULATOR_GATEWAY_4: 'simulator' })).toEqual([]);
});
