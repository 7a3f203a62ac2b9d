/** The keys that encrypted the history of a run are needed until it is closed, and its code until it has replayed. */
const LONGEST_RUN_MS = 90 * 86_400_000;

/**
 * Whether a run that has closed that many cycles continues as new, while no charge is open.
 *
 * @param cyclesPerRun 1 for runs that began before a run could close several
 * @param ageMs of the run
 */
export function isRunLong(cyclesClosed: number, cyclesPerRun: number, ageMs: number): boolean {
  if (cyclesClosed === 0) return false;
  return cyclesClosed >= cyclesPerRun || ageMs >= LONGEST_RUN_MS;
}
