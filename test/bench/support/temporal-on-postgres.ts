import { spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProcessSpec } from '../../../src/dev/supervised-process';
import { isPortInUse } from '../../../src/dev/ports';
import { isTemporalReady } from '../../../src/dev/servers/temporal-server';

/** The production server on Postgres. The development server has one history shard, so its capacity figures are not valid. */
export const TEMPORAL_VERSION = '1.31.2';
export const HISTORY_SHARDS = 64;

const MODULE = 'go.temporal.io/server';
const PROGRAMS = { server: 'cmd/server', sql: 'cmd/tools/sql' };
const CACHE = join(homedir(), '.cache', 'payment-engine', `temporal-server-${TEMPORAL_VERSION}`);
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
/** The server stores its ports as smallint, so ports from the ephemeral range are too high. */
const FIRST_PORT = 7260;
/** Exists from the server's first start. */
const SYSTEM_NAMESPACE = 'temporal-system';
/**
 * As in docker-compose.yml. The server disables eager activity execution by default: with it, an activity goes straight
 * to the worker that scheduled it, without a task queue and another transaction.
 */
const DYNAMIC_CONFIG = {
  'frontend.namespaceRPS': [{ value: 9_600 }],
  'matching.enableFairness': [{ value: true }],
  'matching.numTaskqueueReadPartitions': [{ value: 1 }],
  'matching.numTaskqueueWritePartitions': [{ value: 1 }],
  'system.enableActivityEagerExecution': [{ value: true }],
  'history.workflowIdReuseMinimalInterval': [{ value: '10ms' }],
};
const PLUGIN = 'postgres12';
const DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' };

/** Builds the server and its schema tool with Go, once per user of the machine. Logs the reason and returns null if that fails. */
export async function findTemporalServer(log: (message: string) => void): Promise<string | null> {
  if (Object.keys(PROGRAMS).every((program) => existsSync(join(CACHE, program)))) return CACHE;
  log(`Building the Temporal server ${TEMPORAL_VERSION} with Go (once, a few minutes) ...`);
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(join(CACHE, 'build-'));
  try {
    const packages = Object.values(PROGRAMS).map((path) => `${MODULE}/${path}@v${TEMPORAL_VERSION}`);
    await run('go', ['install', ...packages], { env: { ...process.env, GOBIN: partial } });
    for (const program of Object.keys(PROGRAMS)) renameSync(join(partial, program), join(CACHE, program));
    return CACHE;
  } catch (error) {
    log(`Cannot build the Temporal server: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

export interface TemporalOnPostgresOptions {
  /** The folder from `findTemporalServer`. */
  readonly programs: string;
  /** Its role may create databases. */
  readonly postgresUrl: string;
  readonly folder: string;
  readonly logFile: string;
}

/** Creates the server's databases and its configuration; returns how to start it. */
export async function prepareTemporalOnPostgres(
  options: TemporalOnPostgresOptions,
): Promise<{ spec: ProcessSpec; address: string }> {
  const { programs, folder, logFile } = options;
  const postgres = new URL(options.postgresUrl);
  await createSchemas(join(programs, 'sql'), postgres);
  const ports = await freePortsFrom(FIRST_PORT, 2 * SERVICES.length);
  const address = `127.0.0.1:${ports[0]}`;
  const configFile = join(folder, 'temporal.yaml');
  const dynamicConfigFile = join(folder, 'temporal-dynamic.yaml');
  writeFileSync(dynamicConfigFile, JSON.stringify(DYNAMIC_CONFIG));
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify(serverConfig(postgres, ports, dynamicConfigFile), null, 2), {
    mode: 0o600,
  });
  const spec: ProcessSpec = {
    name: 'temporal',
    command: join(programs, 'server'),
    args: ['--config-file', configFile, '--allow-no-auth', 'start'],
    env: { PATH: process.env.PATH },
    cwd: folder,
    logFile,
    stopSignal: 'SIGTERM',
    ready: () => isTemporalReady(address, SYSTEM_NAMESPACE),
  };
  return { spec, address };
}

async function createSchemas(sqlTool: string, postgres: URL): Promise<void> {
  for (const [database, schema] of Object.entries(DATABASES)) {
    const tool = (...args: string[]): Promise<void> =>
      run(sqlTool, [
        ...['--plugin', PLUGIN, '--endpoint', postgres.hostname, '--port', postgres.port],
        ...['--user', postgres.username, '--password', postgres.password, '--database', database],
        ...args,
      ]);
    await tool('create-database');
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** As in production, except that all services run in one process. */
function serverConfig(postgres: URL, ports: readonly number[], dynamicConfigFile: string): object {
  const services = SERVICES.map((name, index) => {
    const [grpcPort, membershipPort] = ports.slice(2 * index);
    return [name, { rpc: { grpcPort, membershipPort, bindOnIP: '127.0.0.1' } }] as const;
  });
  const store = (databaseName: string, maxConns: number): object => ({
    sql: {
      pluginName: PLUGIN,
      databaseName,
      connectAddr: postgres.host,
      connectProtocol: 'tcp',
      user: postgres.username,
      password: postgres.password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const address = `127.0.0.1:${ports[0]}`;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
  };
}

async function freePortsFrom(first: number, count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = first; ports.length < count; port += 1) {
    if (!(await isPortInUse(port))) ports.push(port);
  }
  return ports;
}

function run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed:\n${output.slice(-2_000)}`));
    });
  });
}
