import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import type { ProcessSpec } from '../supervised-process';
import { findPostgresDataDir, type PostgresDataDir } from './postgres-data-dir';
import {
  commandOf,
  identifyProcess,
  signalProcess,
  stopProcess,
  type ProcessIdentity,
} from '../process-identity';

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly logFile: string;
  /** False disables fsync, for temporary databases. */
  readonly durable: boolean;
  /** More settings of the server, by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

const ROLE = 'payments';
const DATABASE = 'payments';
const STOP_WITHIN_MS = 5_000;
/** English messages and bytewise collation, independent of the machine's locale. */
const SERVER_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** A prepared embedded Postgres cluster. */
export interface Postgres {
  readonly url: string;
  /** The folder of its data. */
  readonly cluster: string;
  readonly process: ProcessSpec;
  /** Call this once the server is running. Does nothing if the database exists. */
  createDatabase(): Promise<void>;
}

/** Creates the cluster if needed, and stops a server that an earlier run left running on it. */
export async function preparePostgres(options: PostgresOptions): Promise<Postgres> {
  const location = findPostgresDataDir(options.dataDir, killServer);
  const cluster = join(location.home, 'cluster');
  const passwordFile = join(location.home, 'password');
  await stopServer(cluster);
  if (!existsSync(cluster)) await createCluster(location, cluster, passwordFile, options.durable);
  const password = readFileSync(passwordFile, 'utf8').trim();
  const urlOf = (database: string) => `postgres://${ROLE}:${password}@127.0.0.1:${options.port}/${database}`;
  return {
    url: urlOf(DATABASE),
    cluster,
    process: {
      name: 'postgres',
      command: join(location.programs, 'bin', 'postgres'),
      args: ['-D', cluster, ...serverSettings(options)],
      env: SERVER_ENVIRONMENT,
      user: location.user,
      cwd: '/',
      logFile: options.logFile,
      // SIGINT is the fast shutdown: it disconnects sessions and does not wait for them.
      stopSignal: 'SIGINT',
      ready: () => connected(urlOf('postgres'), () => Promise.resolve(true)),
    },
    createDatabase: () => connected(urlOf('postgres'), createDatabaseOnce),
  };
}

function serverSettings({ port, durable, settings: more }: PostgresOptions): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...more,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Creates the cluster under a temporary name and renames it, so that an interrupted start leaves no partial cluster. */
async function createCluster(
  location: PostgresDataDir,
  cluster: string,
  passwordFile: string,
  durable: boolean,
): Promise<void> {
  const partial = `${cluster}.partial`;
  rmSync(partial, { recursive: true, force: true });
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (location.user !== undefined) chownSync(passwordFile, location.user.uid, location.user.gid);
  const flags = ['--username', ROLE, '--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C'];
  await run(join(location.programs, 'bin', 'initdb'), location, [
    ...flags,
    ...(durable ? [] : ['--no-sync']),
    '--pwfile',
    passwordFile,
    '--pgdata',
    partial,
  ]);
  renameSync(partial, cluster);
}

function run(program: string, { user }: PostgresDataDir, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(program, [...args], { ...user, cwd: '/', env: SERVER_ENVIRONMENT });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} failed:\n${output}`));
    });
  });
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createDatabaseOnce(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(DATABASE)}`);
}

/**
 * Removes the cluster's postmaster.pid. After a machine crash its process id may belong to another program, which would
 * prevent a start, so a process is only stopped if it is this cluster's server.
 */
async function stopServer(cluster: string): Promise<void> {
  const server = findServer(cluster);
  if (server !== null) await stopProcess(server, 'SIGINT', STOP_WITHIN_MS);
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

function killServer(home: string): void {
  const server = findServer(join(home, 'cluster'));
  if (server !== null) signalProcess(server, 'SIGKILL');
}

/** The first line of postmaster.pid is the server's process id; its command line names the cluster. */
function findServer(cluster: string): ProcessIdentity | null {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return null;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  return commandOf(pid).includes(cluster) ? identifyProcess(pid) : null;
}
