import type { Config } from '../config';
import { consecutivePorts } from './metrics-ports';
import { isPortInUse } from './ports';
import { StartRefused } from './start-refused';

/** The ports of a run, each with the setting that changes it. */
function portsOf({
  port,
  local,
  metrics,
  temporal,
  databaseUrl,
}: Config): [setting: string, port: number, what: string][] {
  return [
    ['PORT', port, 'the API'],
    ['SIMULATOR_PORT', local.simulatorPort, 'the gateway simulator'],
    ...metricsPortsOf(metrics?.port, local.workers),
    ...(databaseUrl === undefined
      ? [['POSTGRES_PORT', local.postgresPort, 'Postgres'] satisfies [string, number, string]]
      : []),
    ...(temporal.address === undefined
      ? [
          ['TEMPORAL_PORT', local.temporalPort, 'Temporal'] satisfies [string, number, string],
          ['TEMPORAL_UI_PORT', local.temporalUiPort, "Temporal's UI"] satisfies [string, number, string],
        ]
      : []),
  ];
}

/** Those that the setting asks for; without it they are chosen among the free ones. */
function metricsPortsOf(first: number | undefined, workers: number): [string, number, string][] {
  if (first === undefined) return [];
  return consecutivePorts(first, workers).map(([name, port]) => [
    'METRICS_PORT',
    port,
    `the metrics of the ${name}`,
  ]);
}

/** Throws `StartRefused` with every port in use, its purpose and the setting that changes it. */
export async function refusePortsInUse(config: Config): Promise<void> {
  const ports = portsOf(config);
  const inUse = await Promise.all(ports.map(([, port]) => isPortInUse(port)));
  const lines = ports
    .filter((_, index) => inUse[index])
    .map(([setting, port, what]) => `port ${port}, for ${what}, is in use: free it or set ${setting}`);
  const duplicate = ports.find(([, port], index) => ports.findIndex(([, other]) => other === port) !== index);
  if (duplicate !== undefined) {
    lines.push(`port ${duplicate[1]} is configured twice: set ${duplicate[0]} to another port`);
  }
  if (lines.length > 0) throw new StartRefused(lines.join('\n'));
}
