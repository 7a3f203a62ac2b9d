import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Engine } from '../stack/engine';
import { readStack } from '../stack/stack';
import type { History } from './histories';

interface RecordedRun {
  readonly workflowId: string;
  readonly history: History;
}

/** Runs the current workflow code against histories, as a worker does that has a run no longer in its cache. */
export async function expectReplays(
  { context: { dataConverter } }: Pick<Engine, 'context'>,
  runs: readonly RecordedRun[],
): Promise<void> {
  const options = { workflowBundle: { codePath: readStack().workflowBundlePath }, dataConverter };
  const replayed: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(options, runs)) {
    if (error) throw new Error(`${workflowId} does not replay`, { cause: error });
    replayed.push(workflowId);
  }
  expect(replayed).toHaveLength(runs.length);
}

/** The same for the history of one run. Returns it. */
export async function expectReplay(
  engine: Pick<Engine, 'context'>,
  handle: Pick<WorkflowHandle, 'workflowId' | 'fetchHistory'>,
): Promise<History> {
  const history = await handle.fetchHistory();
  await expectReplays(engine, [{ workflowId: handle.workflowId, history }]);
  return history;
}
