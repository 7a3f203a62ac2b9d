import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { parse } from 'yaml';
import { loadSandboxConfig } from '../../../src/config';
import { nodeProcess } from '../../../src/dev/node-process';
import { SupervisedProcess, type ProcessSpec } from '../../../src/dev/supervised-process';
import { freePort } from '../../../src/dev/ports';
import { preparePostgres } from '../../../src/dev/servers/postgres';
import { identifyProcess } from '../../../src/dev/process-identity';
import { findOwner, reapProcesses, RunRecord } from '../../../src/dev/run-record';
import { findTemporalCli } from '../../../src/dev/servers/temporal-cli';
import { temporalServerProcess } from '../../../src/dev/servers/temporal-server';
import { buildWorkflowBundle } from '../../../src/dev/build/workflow-bundle';
import { openapiPath } from '../../../src/paths';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { migrate } from '../../../src/persistence/sql/migrator';
import { setUpTemporal } from '../../../src/temporal/setup';
import { MIGRATED_DATABASE, type Stack } from './stack';

/**
 * The test stack's own process. It holds Postgres, Temporal and the simulator for as long as its parent lives: the
 * channel to jest closes however jest ends, interrupted and killed included, and everything here ends with it.
 */

export type StackMessage = { readonly ready: Stack } | { readonly failed: string };

const FOLDER_PREFIX = 'payment-engine-test-';
const NAMESPACE = 'default';
/** A deleted execution is gone once its queues' progress is saved: every 30 s by default, which no test waits for. */
const FORGET_SOON = ['transfer', 'visibility', 'timer'].map(
  (queue) => `history.${queue}ProcessorUpdateAckInterval="500ms"`,
);
const STOP_WITHIN_MS = 3_000;

class TestStack {
  private readonly folder = makeFolder();
  private readonly record = new RunRecord(this.folder, identifyProcess(process.pid) ?? unidentified());
  private readonly context: SupervisedProcess[] = [];

  async start(): Promise<Stack> {
    const [databaseUrl, temporalAddress, simulatorUrl, workflowBundlePath] = await Promise.all([
      this.startPostgres(),
      this.startTemporal(),
      this.startSimulator(),
      buildWorkflowBundle(),
    ]);
    return {
      databaseUrl,
      temporalAddress,
      temporalNamespace: NAMESPACE,
      simulatorUrl,
      workflowBundlePath,
      contractPath: this.writeContract(),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.context.map((part) => part.stop(STOP_WITHIN_MS)));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async startPostgres(): Promise<string> {
    const postgres = await preparePostgres({
      dataDir: this.folder,
      port: await freePort(),
      logFile: this.log('postgres'),
      durable: false,
    });
    await this.run(postgres.process);
    await postgres.createDatabase();
    await migrate(postgres.url);
    await this.keepMigrated(postgres.url);
    return postgres.url;
  }

  /** Copying takes a fraction of the time that the migrations take. */
  private async keepMigrated(databaseUrl: string): Promise<void> {
    const sequelize = connectDatabase(databaseUrl, 1);
    const migrated = new URL(databaseUrl).pathname.slice(1);
    await sequelize.query(`CREATE DATABASE ${MIGRATED_DATABASE} TEMPLATE ${migrated}`);
    await sequelize.close();
  }

  private async startTemporal(): Promise<string> {
    const { dataDir, executablePath } = loadSandboxConfig();
    const port = await freePort();
    const program = await findTemporalCli(dataDir, executablePath, (message) => console.log(message));
    await this.run(
      temporalServerProcess({ program, port, logFile: this.log('temporal'), settings: FORGET_SOON }),
    );
    const address = `127.0.0.1:${port}`;
    const connection = await Connection.connect({ address });
    await setUpTemporal(connection, NAMESPACE);
    await connection.close();
    return address;
  }

  private async startSimulator(): Promise<string> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await this.run(
      nodeProcess({
        name: 'simulator',
        entry: 'src/simulator/main',
        from: 'source',
        settings: { SIMULATOR_PORT: String(port), DATA_DIR: this.folder },
        logFile: this.log('simulator'),
        ready: async () => (await fetch(`${url}/_admin/ledger`)).status < 500,
      }),
    );
    return url;
  }

  private writeContract(): string {
    const path = join(this.folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(parse(readFileSync(openapiPath, 'utf8'))));
    return path;
  }

  private async run(spec: ProcessSpec): Promise<void> {
    const part = new SupervisedProcess(spec, {
      started: ({ identity }) => identity && this.record.recordStart(spec.name, identity),
      exited: (_, how) => console.error(`the test stack's ${spec.name} ended: ${how}`),
    });
    this.context.push(part);
    await part.start();
  }

  private log(name: string): string {
    return join(this.folder, 'logs', `${name}.log`);
  }
}

/** Others may enter it: where we are root, Postgres runs as another user. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  chmodSync(folder, 0o711);
  return folder;
}

/** A run whose process was killed outright could not tidy up. */
async function removeAbandonedStacks(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(tmpdir(), name);
    if (!existsSync(join(folder, 'processes.json')) || findOwner(folder) !== null) continue;
    await reapProcesses(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function unidentified(): never {
  throw new Error('this system does not tell when a process started');
}

async function main(): Promise<void> {
  await removeAbandonedStacks();
  const stack = new TestStack();
  const end = () => void stack.stop().finally(() => process.exit(0));
  process.once('disconnect', end).once('SIGTERM', end);
  process.on('SIGINT', () => undefined);
  const message = await stack.start().then(
    (ready): StackMessage => ({ ready }),
    (error: unknown): StackMessage => ({
      failed: error instanceof Error ? (error.stack ?? '') : String(error),
    }),
  );
  process.send?.(message);
}

void main();
