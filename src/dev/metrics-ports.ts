import { freePort, isPortInUse } from './ports';
import { workerNames, type MeasuredProcess } from './sandbox-file';

/** The port at which a process of a run serves its metrics. */
export type MetricsPort = readonly [process: MeasuredProcess, port: number];

const DEFAULT_PORT = 9464;

/** The API's port and the next ones, for its workers. */
export function consecutivePorts(first: number, workers: number): MetricsPort[] {
  const names = ['api', ...workerNames(workers)] as const;
  return names.map((name, index) => [name, first + index]);
}

/**
 * The ports from `METRICS_PORT` on. Without that setting they are the default ones, and others where those are in use, so that a
 * second run on the machine does not need the setting.
 */
export async function chooseMetricsPorts(first: number | undefined, workers: number): Promise<MetricsPort[]> {
  if (first !== undefined) return consecutivePorts(first, workers);
  const wanted = consecutivePorts(DEFAULT_PORT, workers);
  return Promise.all(
    wanted.map(async ([name, port]) => [name, (await isPortInUse(port)) ? await freePort() : port] as const),
  );
}
