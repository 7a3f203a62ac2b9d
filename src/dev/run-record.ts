import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, stopProcess, type ProcessIdentity } from './process-identity';
import { writeFileAtomically } from './write-file';

/** In the run's folder: who runs here, so that a start after `kill -9` can end what the killed one left. */
const RECORD_FILE = 'processes.json';
const REAP_WITHIN_MS = 3_000;

interface Content {
  readonly owner: ProcessIdentity;
  /** The owner has begun to end its parts and itself. */
  readonly stopping: boolean;
  readonly parts: Readonly<Record<string, ProcessIdentity>>;
}

/** Written on every start of a part, before anything waits for it. */
export class RunRecord {
  private readonly parts: Record<string, ProcessIdentity> = {};
  private stopping = false;

  constructor(
    private readonly folder: string,
    private readonly owner: ProcessIdentity,
  ) {
    this.write();
  }

  started(name: string, identity: ProcessIdentity): void {
    this.parts[name] = identity;
    this.write();
  }

  stops(): void {
    this.stopping = true;
    this.write();
  }

  remove(): void {
    rmSync(join(this.folder, RECORD_FILE), { force: true });
  }

  private write(): void {
    const { owner, stopping, parts } = this;
    writeFileAtomically(join(this.folder, RECORD_FILE), JSON.stringify({ owner, stopping, parts }));
  }
}

/** The process that runs this folder's parts now, if it still does. */
export function findOwner(folder: string): (ProcessIdentity & { stopping: boolean }) | null {
  const record = readRecord(folder);
  return record !== null && isRunning(record.owner) ? { ...record.owner, stopping: record.stopping } : null;
}

/** Ends what the folder's last owner left running. A process that merely has the id of one of them is left alone. */
export async function reapProcesses(folder: string): Promise<void> {
  const parts = Object.entries(readRecord(folder)?.parts ?? {});
  await Promise.all(
    parts.map(([name, identity]) =>
      stopProcess(identity, name === 'postgres' ? 'SIGINT' : 'SIGTERM', REAP_WITHIN_MS),
    ),
  );
  rmSync(join(folder, RECORD_FILE), { force: true });
}

function readRecord(folder: string): Content | null {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD_FILE), 'utf8')) as Content;
  } catch {
    return null;
  }
}
