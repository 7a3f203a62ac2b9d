import type { Client } from '@temporalio/client';
import type { History } from './histories';

/** The histories of a workflow's runs, each of which continues the one before, the oldest first. */
export async function runsOf(client: Client, workflowId: string): Promise<History[]> {
  const newest = await client.workflow.getHandle(workflowId).fetchHistory();
  const runs: History[] = [];
  for (let runId = firstRunOf(newest); runId !== undefined;) {
    const run: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.push(run);
    runId = nextRunOf(run);
  }
  return runs;
}

function firstRunOf({ events }: History): string | undefined {
  return events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? undefined;
}

function nextRunOf({ events }: History): string | undefined {
  const end = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
  return end?.newExecutionRunId ?? undefined;
}
