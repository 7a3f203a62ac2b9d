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

describe('a run’s record', () => {
  it('lets the next start end what a killed one left', async () => {
    const { child, identity } = startProgram();
    const ended = once(child, 'exit');
    new RunRecord(folder, identity).started('worker', identity);
    await reapProcesses(folder);
    await ended;
    expect(identifyProcess(identity.pid)).toBeNull();
    expect(findOwner(folder)).toBeNull();
  });

  it('leaves another program alone that has the process id of a part by now', async () => {
    const { identity } = startProgram();
    new RunRecord(folder, identity).started('worker', { ...identity, startedAt: 'at another time' });
    await reapProcesses(folder);
    expect(identifyProcess(identity.pid)).toEqual(identity);
  });

  it('tells who runs on a folder, and whether it is stopping', () => {
    const { identity } = startProgram();
    const record = new RunRecord(folder, identity);
    expect(findOwner(folder)).toEqual({ ...identity, stopping: false });
    record.stops();
    expect(findOwner(folder)).toEqual({ ...identity, stopping: true });
    record.remove();
    expect(findOwner(folder)).toBeNull();
  });
});
