import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Engine } from '../stack/engine';
import { readStack } from '../stack/stack';

/** What a worker does that has the run no longer in its cache. */
export async function expectReplay(
  { context: { dataConverter } }: Pick<Engine, 'context'>,
  handle: Pick<WorkflowHandle, 'workflowId' | 'fetchHistory'>,
): Promise<void> {
  const options = { workflowBundle: { codePath: readStack().workflowBundlePath }, dataConverter };
  const history = await handle.fetchHistory();
  const replays = Worker.runReplayHistories(options, [{ workflowId: handle.workflowId, history }]);
  for await (const { error } of replays) expect(error).toBeUndefined();
}
