import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { loadSandboxConfig } from '../../../src/config';
import { identifyProcess, type ProcessIdentity } from '../../../src/dev/process-identity';
import { RunRecord } from '../../../src/dev/run-record';
import { preparePostgres, type PostgresOptions } from '../../../src/dev/servers/postgres';
import { findTemporalCli } from '../../../src/dev/servers/temporal-cli';
import { temporalServerProcess, type TemporalServerOptions } from '../../../src/dev/servers/temporal-server';
import { SupervisedProcess, type ProcessSpec } from '../../../src/dev/supervised-process';
import { setUpTemporal } from '../../../src/temporal/setup';

export const NAMESPACE = 'default';

/** The servers that every stack has. */
type ServerName = 'postgres' | 'temporal';

/**
 * The supervised processes of one stack. They are recorded in the stack's folder, so that a later run can end them if
 * this process is killed.
 */
export class StackProcesses<Name extends string> {
  private readonly running = new Map<Name | ServerName, SupervisedProcess>();
  private readonly record: RunRecord;
  private closed = false;

  constructor(readonly folder: string) {
    const self = identifyProcess(process.pid);
    if (self === null) throw new Error('cannot determine the start time of this process');
    this.record = new RunRecord(folder, self);
  }

  /** Starts a process and waits until it is ready. */
  async start(name: Name | ServerName, spec: ProcessSpec): Promise<void> {
    if (this.closed) throw new Error('the stack is being stopped');
    const supervised = new SupervisedProcess(spec, {
      started: ({ identity }) => {
        if (identity === undefined) return;
        this.record.recordStart(name, identity);
        this.onStarted(name, identity);
      },
      exited: (_, how) => this.onExit(name, how),
    });
    this.running.set(name, supervised);
    await supervised.start();
  }

  /** Starts a Postgres server with an empty `payments` database; returns the database's URL. */
  async startPostgres(options: Pick<PostgresOptions, 'port' | 'durable' | 'settings'>): Promise<string> {
    const logFile = this.logFile('postgres');
    const postgres = await preparePostgres({ ...options, dataDir: this.folder, logFile });
    await this.start('postgres', postgres.process);
    await postgres.createDatabase();
    return postgres.url;
  }

  /** Starts a Temporal development server with the namespace set up; returns its address. */
  async startTemporal(options: Omit<TemporalServerOptions, 'program' | 'logFile'>): Promise<string> {
    const { dataDir, executablePath } = loadSandboxConfig();
    const program = await findTemporalCli(dataDir, executablePath, (message) => console.log(message));
    const logFile = this.logFile('temporal');
    await this.start('temporal', temporalServerProcess({ ...options, program, logFile }));
    const address = `127.0.0.1:${options.port}`;
    await setUpNamespace(address);
    return address;
  }

  /** Throws if the process does not run. */
  pid(name: Name | ServerName): number {
    const pid = this.running.get(name)?.identity?.pid;
    if (pid === undefined) throw new Error(`the ${name} does not run`);
    return pid;
  }

  /** Stops these processes together; kills those that still run after `withinMs`. */
  async stop(names: ReadonlyArray<Name | ServerName>, withinMs: number): Promise<void> {
    await Promise.all(names.map(async (name) => this.running.get(name)?.stop(withinMs)));
    for (const name of names) this.running.delete(name);
  }

  /** Lets no more processes start: for an interrupt while the stack is still starting. */
  protected close(): void {
    this.closed = true;
  }

  /** Removes the record when no process runs any more. */
  removeRecord(): void {
    this.record.remove();
  }

  logFile(name: Name | ServerName): string {
    return join(this.folder, 'logs', `${name.replaceAll(' ', '-')}.log`);
  }

  protected get names(): Array<Name | ServerName> {
    return [...this.running.keys()];
  }

  /** Called whenever a process starts, restarts included. */
  protected onStarted(_name: Name | ServerName, _identity: ProcessIdentity): void {}

  /** Called when a process exits that was not asked to stop. */
  protected onExit(_name: Name | ServerName, _how: string): void {}
}

async function setUpNamespace(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  await setUpTemporal(connection, NAMESPACE);
  await connection.close();
}
