import type { AppContext } from './app-context';
import type { WorkerDeps } from './worker';

/** Ends what the activities started, and closes their connections. No activity may run any more. */
export async function closeActivityDeps(
  deps: WorkerDeps,
  { temporal, currentBuild, restoreState, db }: AppContext,
): Promise<void> {
  currentBuild.close();
  restoreState.close();
  await deps.dispatchesSettled();
  await Promise.all([deps.http.close(), deps.safeFetch.close(), temporal.connection.close(), db.close()]);
}
