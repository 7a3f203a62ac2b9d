import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, stopProcess, type ProcessIdentity } from './process-identity';
import { writeFileAtomically } from './write-file';

/** Lists the processes of a run, so that the next start can stop what a killed run left behind. */
const RECORD_FILE = 'processes.json';
const REAP_WITHIN_MS = 3_000;

interface RunRecordContent {
  readonly owner: ProcessIdentity;
  /** The owner is stopping its processes and itself. */
  readonly stopping: boolean;
  readonly processes: Readonly<Record<string, ProcessIdentity>>;
}

/** The record file of a run. It is written at every process start, before the process is awaited. */
export class RunRecord {
  private readonly processes: Record<string, ProcessIdentity> = {};
  private stopping = false;

  constructor(
    private readonly folder: string,
    private readonly owner: ProcessIdentity,
  ) {
    this.write();
  }

  recordStart(name: string, identity: ProcessIdentity): void {
    this.processes[name] = identity;
    this.write();
  }

  markStopping(): void {
    this.stopping = true;
    this.write();
  }

  remove(): void {
    rmSync(join(this.folder, RECORD_FILE), { force: true });
  }

  private write(): void {
    const { owner, stopping, processes } = this;
    writeFileAtomically(join(this.folder, RECORD_FILE), JSON.stringify({ owner, stopping, processes }));
  }
}

/** The live process that owns this folder's run; null without one. */
export function findOwner(folder: string): (ProcessIdentity & { stopping: boolean }) | null {
  const record = readRecord(folder);
  return record !== null && isRunning(record.owner) ? { ...record.owner, stopping: record.stopping } : null;
}

/** Stops the processes that the folder's last owner left running. Processes that reused an id are not touched. */
export async function reapProcesses(folder: string): Promise<void> {
  const leftovers = Object.entries(readRecord(folder)?.processes ?? {});
  await Promise.all(
    leftovers.map(([name, identity]) =>
      stopProcess(identity, name === 'postgres' ? 'SIGINT' : 'SIGTERM', REAP_WITHIN_MS),
    ),
  );
  rmSync(join(folder, RECORD_FILE), { force: true });
}

function readRecord(folder: string): RunRecordContent | null {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD_FILE), 'utf8')) as RunRecordContent;
  } catch {
    return null;
  }
}
