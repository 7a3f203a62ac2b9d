import { spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProcessSpec } from '../../../src/dev/supervised-process';
import { isPortInUse } from '../../../src/dev/ports';
import { isTemporalReady } from '../../../src/dev/servers/temporal-server';

/** The server that production runs, on Postgres; the development server has one history shard and no place in a capacity figure. */
export const TEMPORAL_VERSION = '1.31.2';
export const HISTORY_SHARDS = 64;

const MODULE = 'go.temporal.io/server';
const PROGRAMS = { server: 'cmd/server', sql: 'cmd/tools/sql' };
const CACHE = join(homedir(), '.cache', 'payment-engine', `temporal-server-${TEMPORAL_VERSION}`);
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
/** The server keeps its ports in a smallint, so that a port the system picks would be too high. */
const FIRST_PORT = 7260;
/** There from the server's first start on. */
const SYSTEM_NAMESPACE = 'temporal-system';
/**
 * As docker-compose.yml has it. Eager activities are off by default in the server: with them an activity goes at once
 * to the worker that asked for it, without a transaction and a task queue of its own.
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

/** Builds the server and its schema tool with Go, once for each user of the machine. Null, with the reason told, where that fails. */
export async function findTemporalServer(tell: (message: string) => void): Promise<string | null> {
  if (Object.keys(PROGRAMS).every((program) => existsSync(join(CACHE, program)))) return CACHE;
  tell(`Building the Temporal server ${TEMPORAL_VERSION} with Go, once (some minutes) ...`);
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(join(CACHE, 'build-'));
  try {
    const packages = Object.values(PROGRAMS).map((path) => `${MODULE}/${path}@v${TEMPORAL_VERSION}`);
    await run('go', ['install', ...packages], { env: { ...process.env, GOBIN: partial } });
    for (const program of Object.keys(PROGRAMS)) renameSync(join(partial, program), join(CACHE, program));
    return CACHE;
  } catch (error) {
    tell(`No Temporal server on Postgres: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

export interface TemporalOnPostgresOptions {
  /** From `findTemporalServer`. */
  readonly programs: string;
  /** Of a role that may create databases. */
  readonly postgresUrl: string;
  readonly folder: string;
  readonly logFile: string;
}

/** Makes the server's databases and describes the server as a part. */
export async function prepareTemporalOnPostgres(
  options: TemporalOnPostgresOptions,
): Promise<{ part: ProcessSpec; address: string }> {
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
  const part: ProcessSpec = {
    name: 'temporal',
    command: join(programs, 'server'),
    args: ['--config-file', configFile, '--allow-no-auth', 'start'],
    env: { PATH: process.env.PATH },
    cwd: folder,
    logFile,
    stopSignal: 'SIGTERM',
    ready: () => isTemporalReady(address, SYSTEM_NAMESPACE),
  };
  return { part, address };
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

/** As `temporalio/server` is configured in production, with every service in one process. */
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
