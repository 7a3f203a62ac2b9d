import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOwner, reapProcesses } from '../../../src/dev/run-record';

/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm';
/** Several times what the databases of one run of all tests need. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * Creates a temporary folder for a stack, in memory where there is room: a file system on a disk spends more CPU on the
 * files of a hundred databases than Postgres on the tests' statements. Other users may enter it: run by root, Postgres
 * runs as another user.
 */
export function makeStackFolder(prefix: string): string {
  const folder = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}

/** Ends the processes and removes the folders of runs that were killed before they could clean up. */
export async function removeAbandonedStacks(prefix: string): Promise<void> {
  const places = [IN_MEMORY, tmpdir()].filter((place) => existsSync(place));
  for (const place of places) {
    for (const name of readdirSync(place).filter((entry) => entry.startsWith(prefix))) {
      const folder = join(place, name);
      if (!existsSync(join(folder, 'processes.json')) || findOwner(folder) !== null) continue;
      await reapProcesses(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ENOUGH_BYTES;
}
