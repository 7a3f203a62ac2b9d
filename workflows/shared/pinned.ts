import type { WorkflowDefinitionOptions } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';

/**
 * Keeps a run on the build that began it (docs/operations/deploying.md). A run that began on a worker of no build has no
 * behavior: one that such a worker reports makes Temporal delay later updates of the run by many seconds.
 */
export function pinned(): WorkflowDefinitionOptions {
  const { currentDeploymentVersion: version } = workflowInfo();
  return (version?.deploymentName ?? '') === '' ? {} : { versioningBehavior: 'PINNED' };
}
