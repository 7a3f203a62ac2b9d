import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config';
import { banner } from './banner';
import { LocalStack } from './local-stack';
import { refusePortsInUse } from './ports-in-use';
import { identifyProcess } from './process-identity';
import { findOwner, reapProcesses, RunRecord } from './run-record';
import { StartRefused } from './start-refused';
import { waitUntil } from './wait-until';

/** A run that is stopping takes 10 s at most. */
const OTHER_STOPS_WITHIN_MS = 12_000;
const PARENT_CHECK_MS = 250;

/** `npm start`: the whole service in one terminal. `--quiet` leaves only the line that says it is ready. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quiet: { type: 'boolean', default: false } } });
  const tell = values.quiet ? () => undefined : (message: string) => console.log(message);
  const config = loadConfig();
  const dataDir = resolve(config.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const stack = new LocalStack({ config, dataDir, record: await takeOver(dataDir), tell });
  const end = endOnce(stack, tell);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  if (config.local.runByNpm) whenOrphaned(() => end(0));
  process.on('uncaughtException', (error) => {
    console.error(error);
    end(1);
  });
  try {
    await stack.start();
    tell(banner(stack.addresses, stack.demo, dataDir));
    console.log(`ready ${stack.addresses.baseUrl}`);
  } catch (error) {
    if (!end.begun) console.error(error instanceof Error ? error.message : error);
    end(1);
  }

  /** One run for one folder: ends what a killed one left there, and refuses beside one that runs. */
  async function takeOver(folder: string): Promise<RunRecord> {
    const owner = findOwner(folder);
    if (owner?.stopping === true) {
      await waitUntil('the run before ends', OTHER_STOPS_WITHIN_MS, () => findOwner(folder) === null);
    }
    if (findOwner(folder) === null) await reapProcesses(folder);
    await refusePortsInUse(config);
    const other = findOwner(folder);
    if (other !== null)
      throw new StartRefused(`process ${other.pid} already runs on ${folder}: set DATA_DIR`);
    const self = identifyProcess(process.pid);
    if (self === null) throw new Error('this system does not tell when a process started');
    return new RunRecord(folder, self);
  }
}

/** The terminal and npm may both pass on one Ctrl-C: the first signal counts. */
function endOnce(
  stack: LocalStack,
  tell: (message: string) => void,
): ((code: number) => void) & { begun: boolean } {
  const end = (code: number): void => {
    if (end.begun) return;
    end.begun = true;
    tell('Stopping ...');
    stack.stop().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  end.begun = false;
  return end;
}

/** npm may be killed without a word to us: then nobody is left who could stop this run. */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    act();
  }, PARENT_CHECK_MS);
}

main().catch((error: unknown) => {
  console.error(error instanceof StartRefused ? error.message : error);
  process.exit(1);
});
