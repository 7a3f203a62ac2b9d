import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { loadSandboxConfig } from '../../../src/config';
import { SupervisedProcess } from '../../../src/dev/supervised-process';
import { identifyProcess } from '../../../src/dev/process-identity';
import { RunRecord } from '../../../src/dev/run-record';
import { findTemporalCli } from '../../../src/dev/servers/temporal-cli';
import { temporalServerProcess } from '../../../src/dev/servers/temporal-server';
import { setUpTemporal } from '../../../src/temporal/setup';
import { makeStackFolder } from '../processes/stack-folder';
import { onFreePort } from './on-free-port';
import { readStack } from './stack';

export interface OwnTemporal {
  readonly address: string;
  stop(): Promise<void>;
}

const STOP_WITHIN_MS = 3_000;

/** A Temporal server of a test file's own, for settings that others must not have: `name=value` of its dynamic configuration. */
export async function startOwnTemporal(settings: readonly string[]): Promise<OwnTemporal> {
  // Named as the shared stack's: should this process be killed, the next run of tests ends what it has left.
  const folder = makeStackFolder('payment-engine-test-');
  const self = identifyProcess(process.pid);
  if (self === null) throw new Error('this system does not tell when a process started');
  const record = new RunRecord(folder, self);
  const { dataDir, executablePath } = loadSandboxConfig();
  const program = await findTemporalCli(dataDir, executablePath, () => undefined);
  const { server, port } = await onFreePort(async (port) => {
    const server = new SupervisedProcess(
      temporalServerProcess({ program, port, logFile: join(folder, 'temporal.log'), settings }),
      { started: ({ identity }) => identity && record.recordStart('temporal', identity) },
    );
    await server.start();
    return { server, port };
  });
  const address = `127.0.0.1:${port}`;
  const connection = await Connection.connect({ address });
  await setUpTemporal(connection, readStack().temporalNamespace);
  await connection.close();
  return {
    address,
    stop: async () => {
      await server.stop(STOP_WITHIN_MS);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
