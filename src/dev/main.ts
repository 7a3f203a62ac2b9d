import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSandboxConfig } from '../config';
import { banner } from './banner';
import { LocalStack } from './local-stack';
import { chooseMetricsPorts } from './metrics-ports';
import { refusePortsInUse } from './ports-in-use';
import { identifyProcess } from './process-identity';
import { findOwner, reapProcesses, RunRecord } from './run-record';
import { StartRefused } from './start-refused';
import { waitUntil } from './wait-until';

/** Longer than a run takes to stop. */
const PREVIOUS_RUN_STOPS_WITHIN_MS = 12_000;
const PARENT_CHECK_MS = 250;

/** `npm start` runs the whole service in one terminal. `--quiet` prints only the final line. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quiet: { type: 'boolean', default: false } } });
  const print = values.quiet ? () => undefined : (message: string) => console.log(message);
  const config = loadSandboxConfig();
  const dataDir = resolve(config.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const record = await claimFolder(dataDir);
  const metricsPorts = await chooseMetricsPorts(config.metrics?.port, config.local.workers);
  const stack = new LocalStack({ config, metricsPorts, dataDir, record, print });
  const stop = stopOnce(stack, print);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));
  if (config.local.runByNpm) onParentExit(() => stop(0));
  process.on('uncaughtException', (error) => {
    console.error(error);
    stop(1);
  });
  try {
    await stack.start();
    print(banner(stack.addresses, stack.demo, dataDir));
    console.log(`ready ${stack.addresses.baseUrl}`);
  } catch (error) {
    if (!stop.started) console.error(error instanceof Error ? error.message : error);
    stop(1);
  }

  /** Allows one run per folder: stops leftover processes of a killed run, and refuses to start beside a live run. */
  async function claimFolder(folder: string): Promise<RunRecord> {
    const owner = findOwner(folder);
    if (owner?.stopping === true) {
      await waitUntil(
        'the previous run stops',
        PREVIOUS_RUN_STOPS_WITHIN_MS,
        () => findOwner(folder) === null,
      );
    }
    if (findOwner(folder) === null) await reapProcesses(folder);
    await refusePortsInUse(config);
    const other = findOwner(folder);
    if (other !== null)
      throw new StartRefused(`process ${other.pid} already runs on ${folder}: set DATA_DIR`);
    const self = identifyProcess(process.pid);
    if (self === null) throw new Error('this system does not report process start times');
    return new RunRecord(folder, self);
  }
}

/** Ignores repeated signals: the terminal and npm may both forward one Ctrl-C. */
function stopOnce(
  stack: LocalStack,
  print: (message: string) => void,
): ((code: number) => void) & { started: boolean } {
  const stop = (code: number): void => {
    if (stop.started) return;
    stop.started = true;
    print('Stopping ...');
    stack.stop().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  stop.started = false;
  return stop;
}

/** Detects a killed npm process, which sends no signal to this one. */
function onParentExit(callback: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    callback();
  }, PARENT_CHECK_MS);
}

main().catch((error: unknown) => {
  console.error(error instanceof StartRefused ? error.message : error);
  process.exit(1);
});
