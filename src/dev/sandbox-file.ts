import { join } from 'node:path';
import type { Config } from '../config';
import type { DemoCompany } from './demo-company';
import { writeFileAtomically } from './write-file';

/** The processes of a local run. */
export type ProcessName = 'api' | WorkerName | 'simulator' | 'temporal' | 'postgres';

/** The first worker has no number. */
type WorkerName = 'worker' | `worker_${number}`;

/** The processes that serve metrics. */
export type MeasuredProcess = 'api' | WorkerName;

/** `worker`, `worker_2`, `worker_3` and so on. */
export function workerNames(count: number): WorkerName[] {
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? 'worker' : (`worker_${index + 1}` as const),
  );
}

/** `DATA_DIR/sandbox.json`: addresses and credentials for programs that use the sandbox. Its field names are a public contract. */
export interface SandboxFile {
  readonly base_url: string;
  readonly api_url: string;
  readonly client_id: string;
  readonly api_key: string;
  readonly admin: { readonly email: string; readonly password: string };
  readonly simulator_url: string;
  readonly temporal_address: string;
  /** Null with an external Temporal server. */
  readonly temporal_ui_url: string | null;
  readonly database_url: string;
  /** Where each process serves its metrics. */
  readonly metrics: Readonly<Partial<Record<MeasuredProcess, string>>>;
  /** Process ids; external servers have none. */
  readonly pids: Readonly<Partial<Record<ProcessName, number>>>;
}

const ALL_INTERFACES = ['0.0.0.0', '::'];

export interface Addresses {
  readonly baseUrl: string;
  readonly apiUrl: string;
  readonly simulatorUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  readonly metrics: SandboxFile['metrics'];
}

export function addressesOf(
  config: Config,
  metricsPorts: ReadonlyArray<readonly [process: MeasuredProcess, port: number]>,
): Addresses {
  const { host, port, local, temporal } = config;
  const baseUrl = `http://${ALL_INTERFACES.includes(host) ? '127.0.0.1' : host}:${port}`;
  return {
    baseUrl,
    apiUrl: `${baseUrl}/api/v1`,
    simulatorUrl: `http://127.0.0.1:${local.simulatorPort}`,
    temporalAddress: temporal.address ?? `127.0.0.1:${local.temporalPort}`,
    temporalUiUrl: temporal.address === undefined ? `http://127.0.0.1:${local.temporalUiPort}` : null,
    metrics: Object.fromEntries(
      metricsPorts.map(([name, metricsPort]) => [name, `http://127.0.0.1:${metricsPort}/metrics`]),
    ),
  };
}

export function writeSandboxFile(
  dataDir: string,
  addresses: Addresses,
  databaseUrl: string,
  demo: DemoCompany,
  pids: SandboxFile['pids'],
): void {
  const content: SandboxFile = {
    base_url: addresses.baseUrl,
    api_url: addresses.apiUrl,
    client_id: demo.clientId,
    api_key: demo.apiKey,
    admin: demo.admin,
    simulator_url: addresses.simulatorUrl,
    temporal_address: addresses.temporalAddress,
    temporal_ui_url: addresses.temporalUiUrl,
    database_url: databaseUrl,
    metrics: addresses.metrics,
    pids,
  };
  writeFileAtomically(join(dataDir, 'sandbox.json'), `${JSON.stringify(content, null, 2)}\n`);
}
