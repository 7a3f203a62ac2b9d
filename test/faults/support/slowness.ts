import { spawnSync } from 'node:child_process';

/** How long Node takes to start on a machine on which the time limits apply unchanged, in ms. */
const USUAL_START_MS = 250;
const MAX_FACTOR = 8;

/**
 * The factor by which time limits are extended on this machine now, from 1 to 8. Measured by starting Node, which is
 * also what a killed process must do to recover.
 */
export function machineSlowness(): number {
  const samples = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    spawnSync(process.execPath, ['-e', '']);
    return performance.now() - startedAt;
  });
  const [, median = 0] = samples.toSorted((a, b) => a - b);
  return Math.min(Math.max(1, median / USUAL_START_MS), MAX_FACTOR);
}
