import type { Config } from '../config';
import { isPortInUse } from './ports';
import { StartRefused } from './start-refused';

/** The ports that a run will take, by the setting that moves each. */
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

/** Throws a message that names every port in use, whom it was for, and the setting that moves it. */
export async function refusePortsInUse(config: Config): Promise<void> {
  const ports = portsOf(config);
  const inUse = await Promise.all(ports.map(([, port]) => isPortInUse(port)));
  const lines = ports
    .filter((_, index) => inUse[index])
    .map(([setting, port, what]) => `port ${port}, for ${what}, is in use: free it or set ${setting}`);
  const twice = ports.find(([, port], index) => ports.findIndex(([, other]) => other === port) !== index);
  if (twice !== undefined) lines.push(`port ${twice[1]} is given twice: set ${twice[0]} to another one`);
  if (lines.length > 0) throw new StartRefused(lines.join('\n'));
}
