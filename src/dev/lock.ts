import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity';
import { waitUntil } from './wait-until';

/** Runs `work` under an inter-process lock. Waits for the lock at most `withinMs`. The lock of a dead process is ignored. */
export async function withLock(file: string, withinMs: number, work: () => Promise<void>): Promise<void> {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(identifyProcess(process.pid)));
  try {
    await waitUntil(`the lock ${file}`, withinMs, () => tryAcquire(file, own));
    try {
      await work();
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** Creating a hard link is atomic, so readers never see a lock file without content. */
function tryAcquire(file: string, own: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
    if (!isRunning(holder)) rmSync(file, { force: true });
    return false;
  }
}
