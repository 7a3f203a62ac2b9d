import { join } from 'node:path';
import type { Config } from '../config';
import { startSimulator, type RunningSimulator } from './server';
import { simulatedVendorsOf } from './vendors/registry';

/** Starts the simulator with the settings of the service. */
export function startConfiguredSimulator(config: Config): Promise<RunningSimulator> {
  return startSimulator({
    host: config.simulator.host,
    port: config.local.simulatorPort,
    folder: join(config.dataDir, 'simulator'),
    paysAfterMs: config.simulator.paysAfterMs,
    controlRoutes: config.simulator.controlRoutes,
    vendors: simulatedVendorsOf(config.simulator.vendors, config.gateways.driverNames),
    searchLagMs: config.simulator.searchLagMs,
    baseUrl: config.simulator.callbackUrl,
    webhookSecret: (gateway) =>
      config.simulator.webhookSecret ?? config.gateways.webhookSecrets.get(gateway)?.[0] ?? null,
  });
}
