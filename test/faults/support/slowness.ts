import { spawnSync } from 'node:child_process';

/** What starting Node takes where times hold as they are, in ms. */
const USUAL_START_MS = 250;
const MOST = 8;

/** How many times longer than usual everything takes here and now, from 1: what a killed part must do is start. */
export function machineSlowness(): number {
  const samples = [1, 2, 3].map(() => {
    const begun = performance.now();
    spawnSync(process.execPath, ['-e', '']);
    return performance.now() - begun;
  });
  const [, median = 0] = samples.toSorted((a, b) => a - b);
  return Math.min(Math.max(1, median / USUAL_START_MS), MOST);
}
