import type { Worker } from '@temporalio/worker';

/** Runs all workers until they stop. If one fails, it stops the others and throws its error. */
export async function runWorkers(workers: readonly Worker[]): Promise<void> {
  const stopAll = (error: unknown): never => {
    stopWorkers(workers);
    throw error;
  };
  const ends = await Promise.allSettled(workers.map((worker) => worker.run().catch(stopAll)));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Lets the tasks in progress end, and takes no others. */
export function stopWorkers(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
