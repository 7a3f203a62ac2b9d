import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOwner, reapProcesses } from '../../../src/dev/run-record';

/** Creates a temporary folder for a stack. Other users may enter it: run by root, Postgres runs as another user. */
export function makeStackFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}

/** Ends the processes and removes the folders of runs that were killed before they could clean up. */
export async function removeAbandonedStacks(prefix: string): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    if (!existsSync(join(folder, 'processes.json')) || findOwner(folder) !== null) continue;
    await reapProcesses(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
