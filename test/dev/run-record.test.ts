import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { identifyProcess, type ProcessIdentity } from '../../src/dev/process-identity';
import { findOwner, reapProcesses, RunRecord } from '../../src/dev/run-record';
import { makeDataDir } from './support';

const folder = makeDataDir();
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function startProgram(): { child: ChildProcess; identity: ProcessIdentity } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  children.push(child);
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === null) throw new Error('the program did not start');
  return { child, identity };
}

describe('the run record', () => {
  it('lets the next start stop the processes that a killed run left', async () => {
    const { child, identity } = startProgram();
    const exited = once(child, 'exit');
    new RunRecord(folder, identity).recordStart('worker', identity);
    await reapProcesses(folder);
    await exited;
    expect(identifyProcess(identity.pid)).toBeNull();
    expect(findOwner(folder)).toBeNull();
  });

  it('never stops another program that reused a recorded process id', async () => {
    const { identity } = startProgram();
    new RunRecord(folder, identity).recordStart('worker', { ...identity, startedAt: 'at another time' });
    await reapProcesses(folder);
    expect(identifyProcess(identity.pid)).toEqual(identity);
  });

  it('returns the owner of a folder and whether it is stopping', () => {
    const { identity } = startProgram();
    const record = new RunRecord(folder, identity);
    expect(findOwner(folder)).toEqual({ ...identity, stopping: false });
    record.markStopping();
    expect(findOwner(folder)).toEqual({ ...identity, stopping: true });
    record.remove();
    expect(findOwner(folder)).toBeNull();
  });
});
