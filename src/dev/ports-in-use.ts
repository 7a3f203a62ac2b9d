import type { Config } from '../config';
import { isPortInUse } from './ports';
import { StartRefused } from './start-refused';

/** The ports of a run, each with the setting that changes it. */
function portsOf({
  port,
  local,
  temporal,
  databaseUrl,
}: Config): [setting: string, port: number, what: string][] {
  return [
    ['PORT', port, 'the API'],
    ['SIMULATOR_PORT', local.simulatorPort, 'the gateway simulator'],
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
