import type { Client } from '@temporalio/client';
import type { History } from './histories';

/** The histories of a workflow's runs from that one on, each of which continues the one before. */
export async function runsOf(client: Client, workflowId: string, firstRunId?: string): Promise<History[]> {
  const runs: History[] = [];
  for (let runId = firstRunId ?? (await firstRunOf(client, workflowId)); runId !== undefined;) {
    const run: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.push(run);
    runId = nextRunOf(run);
  }
  return runs;
}

/** The run that the newest goes back to. */
export async function firstRunOf(client: Client, workflowId: string): Promise<string | undefined> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? undefined;
}

function nextRunOf({ events }: History): string | undefined {
  const end = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
  return end?.newExecutionRunId ?? undefined;
}
