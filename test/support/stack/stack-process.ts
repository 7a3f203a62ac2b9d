import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseContract } from '../../../src/http/server/contract';
import { nodeProcess } from '../../../src/dev/node-process';
import { freePort } from '../../../src/dev/ports';
import { buildWorkflowBundle } from '../../../src/dev/build/workflow-bundle';
import { openapiPath } from '../../../src/paths';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { migrate } from '../../../src/persistence/sql/migrator';
import { makeStackFolder, removeAbandonedStacks } from '../processes/stack-folder';
import { NAMESPACE, StackProcesses } from '../processes/stack-processes';
import { onFreePort } from './on-free-port';
import { MIGRATED_DATABASE, type Stack } from './stack';
import { waitFor } from './wait-for';

/**
 * The test stack's own process. It holds Postgres, Temporal and the simulator for as long as its parent lives: the
 * channel to jest closes however jest ends, interrupted and killed included, and everything here ends with it.
 */

export type StackMessage = { readonly ready: Stack } | { readonly failed: string };

const FOLDER_PREFIX = 'payment-engine-test-';
/** A deleted execution is gone once its queues' progress is saved: every 30 s by default, which no test waits for. */
const FORGET_SOON = ['transfer', 'visibility', 'timer'].map(
  (queue) => `history.${queue}ProcessorUpdateAckInterval="500ms"`,
);
const STOP_WITHIN_MS = 3_000;

class TestStack extends StackProcesses<'simulator'> {
  constructor() {
    super(makeStackFolder(FOLDER_PREFIX));
  }

  async startAll(): Promise<Stack> {
    const [databaseUrl, temporalAddress, simulatorUrl, workflowBundlePath] = await Promise.all([
      this.startMigrated(),
      this.startTemporalServer(),
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

  async stopAll(): Promise<void> {
    await this.stop(this.names, STOP_WITHIN_MS);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async startMigrated(): Promise<string> {
    // Every test file has a database: autovacuum would go through hundreds of them again and again.
    const settings = { autovacuum: 'off' };
    const url = await this.startPostgres({ port: await freePort(), durable: false, settings });
    await migrate(url, 'test');
    await this.keepMigrated(url);
    return url;
  }

  /** Copying takes a fraction of the time that the migrations take. */
  private async keepMigrated(databaseUrl: string): Promise<void> {
    const sequelize = connectDatabase(databaseUrl, 1);
    const migrated = new URL(databaseUrl).pathname.slice(1);
    const copy = () => sequelize.query(`CREATE DATABASE ${MIGRATED_DATABASE} TEMPLATE ${migrated}`);
    // On a busy machine the connection of the migrations may not have ended yet.
    await waitFor(copy, { what: 'the migrated database to be copied', withinMs: 60_000 });
    await sequelize.close();
  }

  private async startTemporalServer(): Promise<string> {
    return onFreePort((port) => this.startTemporal({ port, settings: FORGET_SOON }));
  }

  private async startSimulator(): Promise<string> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await this.start(
      'simulator',
      nodeProcess({
        name: 'simulator',
        entry: 'src/simulator/main',
        from: 'source',
        settings: { SIMULATOR_PORT: String(port), DATA_DIR: this.folder },
        logFile: this.logFile('simulator'),
        ready: async () => (await fetch(`${url}/_admin/ledger`)).status < 500,
      }),
    );
    return url;
  }

  private writeContract(): string {
    const path = join(this.folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(parseContract(readFileSync(openapiPath, 'utf8'))));
    return path;
  }

  protected override onExit(name: string, how: string): void {
    console.error(`the test stack's ${name} ended: ${how}`);
  }
}

async function main(): Promise<void> {
  await removeAbandonedStacks(FOLDER_PREFIX);
  const stack = new TestStack();
  const end = () => void stack.stopAll().finally(() => process.exit(0));
  process.once('disconnect', end).once('SIGTERM', end);
  process.on('SIGINT', () => undefined);
  const message = await stack.startAll().then(
    (ready): StackMessage => ({ ready }),
    (error: unknown): StackMessage => ({
      failed: error instanceof Error ? (error.stack ?? '') : String(error),
    }),
  );
  process.send?.(message);
}

void main();
