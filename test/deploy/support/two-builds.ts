import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { nodeProcess } from '../../../src/dev/node-process';
import { freePort } from '../../../src/dev/ports';
import { projectRoot } from '../../../src/paths';
import { childEnv } from '../../../src/config';
import { StackProcesses } from '../../support/processes/stack-processes';

/** A checkout whose `dist` is built. */
export interface Build {
  readonly buildId: string;
  readonly root: string;
}

type ProgramName = `${'api' | 'worker'} ${string}` | 'simulator';

const STOP_WITHIN_MS = 30_000;
const SETTINGS = {
  SANDBOX: 'true',
  SHUTDOWN_GRACE: '15',
  SWEEP_INTERVAL: '0.5',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '10000',
};

/** Servers, a simulator, and the programs of two builds. */
export class TwoBuilds extends StackProcesses<ProgramName> {
  databaseUrl = '';
  temporalAddress = '';
  private simulatorPort = 0;

  get simulatorUrl(): string {
    return `http://127.0.0.1:${this.simulatorPort}`;
  }

  async startServers(): Promise<void> {
    this.simulatorPort = await freePort();
    this.databaseUrl = await this.startPostgres({ port: await freePort(), durable: false });
    this.temporalAddress = await this.startTemporal({ port: await freePort() });
    await this.startProgram('simulator', { buildId: '', root: projectRoot }, 'src/simulator/main', {}, () =>
      answersOk(`${this.simulatorUrl}/_admin/ledger`),
    );
  }

  startWorker(build: Build): Promise<void> {
    const started = () => Promise.resolve(true);
    return this.startProgram(`worker ${build.buildId}`, build, 'src/worker', {}, started);
  }

  /** Returns its port when it is ready. */
  async startApi(build: Build): Promise<number> {
    const port = await freePort();
    await this.startProgram(`api ${build.buildId}`, build, 'src/api', { PORT: String(port) }, () =>
      answersOk(`http://127.0.0.1:${port}/health/ready`),
    );
    return port;
  }

  /** SIGTERM, as an orchestrator stops a container. */
  stopProgram(program: 'api' | 'worker', { buildId }: Build): Promise<void> {
    return this.stop([`${program} ${buildId}`], STOP_WITHIN_MS);
  }

  async stopAll(): Promise<void> {
    const servers = ['simulator', 'temporal', 'postgres'] as const;
    const programs = this.names.filter((name) => !servers.some((server) => server === name));
    await this.stop(programs, STOP_WITHIN_MS);
    await this.stop(servers, STOP_WITHIN_MS);
    this.removeRecord();
  }

  /** Runs one of a build's commands to its end. Throws if it fails. */
  async run({ buildId, root }: Build, program: 'migrate' | 'deployment', ...args: string[]): Promise<void> {
    const child = spawn(process.execPath, [join(root, 'dist', 'src', `${program}.js`), ...args], {
      cwd: root,
      env: childEnv({ ...this.settings(), BUILD_ID: buildId }),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} of ${buildId} ended with ${code}`);
  }

  private startProgram(
    name: ProgramName,
    { buildId, root }: Build,
    entry: string,
    settings: Readonly<Record<string, string>>,
    ready: () => Promise<boolean>,
  ): Promise<void> {
    const environment = {
      ...this.settings(),
      ...settings,
      ...(buildId !== '' && { BUILD_ID: buildId }),
    };
    const logFile = this.logFile(name);
    const spec = nodeProcess({ name, entry, from: 'build', settings: environment, logFile, ready });
    const args = spec.args.map((arg) => arg.replace(projectRoot, root));
    return this.start(name, { ...spec, args, cwd: root });
  }

  private settings(): Record<string, string> {
    return {
      ...SETTINGS,
      DATA_DIR: this.folder,
      DATABASE_URL: this.databaseUrl,
      TEMPORAL_ADDRESS: this.temporalAddress,
      SIMULATOR_PORT: String(this.simulatorPort),
    };
  }
}

async function answersOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
}
