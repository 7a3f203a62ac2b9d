import type { PlannedFault } from './fault-plan';

/** Slower recoveries are counted in the summary even if they are within their limit. */
const RECOVERY_TARGET_MS = 5_000;

export function describeFault(fault: PlannedFault): string {
  switch (fault.kind) {
    case 'kill':
      return `kill -9 of ${fault.target}`;
    case 'freeze':
      return `${fault.target} frozen for ${seconds(fault.forMs)}`;
    case 'failpoint':
      return `${fault.action} at ${fault.name}`;
  }
}

/** Of recovery times in ms. */
export function describeRecoveries(recoveries: readonly number[]): string {
  const sorted = recoveries.toSorted((a, b) => a - b);
  const at = (share: number): string => seconds(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const slow = sorted.filter((ms) => ms > RECOVERY_TARGET_MS).length;
  return `${sorted.length} kills, median ${at(0.5)}, maximum ${at(1)}, ${slow} over ${seconds(RECOVERY_TARGET_MS)}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
