import type { WorkerOptions } from '@temporalio/worker';

/** Makes a worker one of its build's. Runs move on to the current build, unless their workflow pins them. */
export function deploymentOptions(
  deploymentName: string,
  buildId: string | null,
): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === null) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
