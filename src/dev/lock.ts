import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity';
import { waitUntil } from './wait-until';

/** One process at a time does `work`; the others wait, at most `withinMs`. A lock whose process is gone counts for nothing. */
export async function withLock(file: string, withinMs: number, work: () => Promise<void>): Promise<void> {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(identifyProcess(process.pid)));
  try {
    await waitUntil(`the lock ${file}`, withinMs, () => take(file, own));
    try {
      await work();
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** A link appears whole, content and all, or not at all. */
function take(file: string, own: string): boolean {
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
