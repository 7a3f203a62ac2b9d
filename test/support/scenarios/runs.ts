import type { Client } from '@temporalio/client';
import type { History } from './histories';

/** How the field of an event that tells its type ends. */
const ATTRIBUTES = 'EventAttributes';

/** The histories of a workflow's runs from the given one (or the first) on, linked by continue-as-new. */
export async function fetchRuns(client: Client, workflowId: string, firstRunId?: string): Promise<History[]> {
  const runs: History[] = [];
  for (let runId = firstRunId ?? (await fetchFirstRunId(client, workflowId)); runId !== undefined;) {
    const run: History = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.push(run);
    runId = nextRunOf(run);
  }
  return runs;
}

/** The first run of the chain that the newest run belongs to. */
export async function fetchFirstRunId(client: Client, workflowId: string): Promise<string | undefined> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? undefined;
}

/** The types of the events of the newest run, such as `workflowTaskCompleted`, once it has closed. */
export async function eventTypesOf(client: Client, workflowId: string): Promise<string[]> {
  const handle = client.workflow.getHandle(workflowId);
  await handle.result();
  const { events } = await handle.fetchHistory();
  return (events ?? []).map(
    (event) =>
      Object.keys(event)
        .find((key) => key.endsWith(ATTRIBUTES))
        ?.slice(0, -ATTRIBUTES.length) ?? 'none',
  );
}

function nextRunOf({ events }: History): string | undefined {
  const end = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
  return end?.newExecutionRunId ?? undefined;
}
