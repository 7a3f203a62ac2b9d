import { loadSandboxConfig } from '../../../src/config';
import { simulatedVendorsOf } from '../../../src/simulator/vendors/registry';

const vendorsWith = (env: Record<string, string>) =>
  simulatedVendorsOf(loadSandboxConfig(env).simulator.vendors);

it('the settings choose the vendor that the simulator plays at a slug, and no other slug changes', () => {
  expect([...vendorsWith({ SIMULATOR_GATEWAY_4: 'stripe' })]).toEqual([['gateway_4', 'stripe']]);
  expect([...vendorsWith({})]).toEqual([]);
});

it('a vendor that is not simulated is refused with the name of the setting', () => {
  expect(() => vendorsWith({ SIMULATOR_GATEWAY_2: 'stripes' })).toThrow(
    'wrong settings: SIMULATOR_GATEWAY_2 must be one of simulator, stripe',
  );
});
