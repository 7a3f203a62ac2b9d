import type { Engine } from './engine';
import { waitFor } from './wait-for';

/** Deletes the current run of a workflow, as Temporal's retention does. Another run may start meanwhile. */
export async function deleteWorkflowRun(
  { context, config }: Pick<Engine, 'context' | 'config'>,
  workflowId: string,
): Promise<void> {
  const { workflow, workflowService } = context.temporal;
  const { namespace } = config.temporal;
  const { runId } = await workflow.getHandle(workflowId).describe();
  const execution = { workflowId, runId };
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution });
  await waitFor(
    () =>
      workflowService.describeWorkflowExecution({ namespace, execution }).then(
        () => false,
        () => true,
      ),
    { what: 'Temporal to delete the workflow' },
  );
}
