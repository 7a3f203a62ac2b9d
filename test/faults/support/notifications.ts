import type { PlannedFault } from './fault-plan';

/** Beyond this a recovery within the limit is still worth a look. */
const RECOVERY_GOAL_MS = 5_000;

export function describeFault(fault: PlannedFault): string {
  switch (fault.kind) {
    case 'kill':
      return `kill -9 of ${fault.victim}`;
    case 'freeze':
      return `${fault.victim} frozen for ${seconds(fault.forMs)}`;
    case 'failpoint':
      return `${fault.action} at ${fault.name}`;
  }
}

export function describeRecoveries(recoveries: readonly number[]): string {
  const sorted = recoveries.toSorted((a, b) => a - b);
  const at = (share: number): string => seconds(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const beyond = sorted.filter((ms) => ms > RECOVERY_GOAL_MS).length;
  return `${sorted.length} kills, median ${at(0.5)}, longest ${at(1)}, ${beyond} beyond ${seconds(RECOVERY_GOAL_MS)}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
