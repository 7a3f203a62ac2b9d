import { Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface';
import { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm';
import { readStack } from './stack';

/*
 * Every worker has a thread for its workflows, which loads the SDK and the workflow code, and which Node then optimizes. For
 * most test files that costs more than the workflows that they run. So a worker that has ended leaves its thread to the next
 * worker of this process. A thread serves one worker at a time, as in production: two workers never share one.
 */

/** Of the SDK's worker, what makes its thread. */
interface WorkerStatics {
  createWorkflowCreator(
    bundle: unknown,
    options: CompiledWorkerOptions,
    logger: unknown,
  ): Promise<WorkflowCreator>;
  getOrCreateBundle(options: CompiledWorkerOptions, logger: unknown): Promise<unknown>;
}

/** What a test process keeps alive only as long as something else does. */
interface Threads {
  readonly workerThreadClients: ReadonlyArray<{
    readonly workerThread: { unref(): void };
    getActiveWorkflowCount(): number;
  }>;
}

const free = new Map<string, WorkflowCreator[]>();
let bundle: Promise<unknown> | undefined;

const statics = Worker as unknown as WorkerStatics;
const create = statics.createWorkflowCreator.bind(Worker);
const readBundle = statics.getOrCreateBundle.bind(Worker);

/** Whether the worker runs this run's workflow code with the default settings; others get what the SDK makes. */
const isOrdinary = ({ workflowBundle, debugMode, patchActivationCallback }: CompiledWorkerOptions): boolean =>
  workflowBundle !== undefined &&
  'codePath' in workflowBundle &&
  workflowBundle.codePath === readStack().workflowBundlePath &&
  debugMode !== true &&
  patchActivationCallback === undefined;

statics.getOrCreateBundle = (options, logger) =>
  isOrdinary(options) ? (bundle ??= readBundle(options, logger)) : readBundle(options, logger);

statics.createWorkflowCreator = async (code, options, logger) => {
  if (!isOrdinary(options)) return create(code, options, logger);
  const { activities, isolateExecutionTimeoutMs, workflowThreadPoolSize, reuseV8Context } = options;
  const key = JSON.stringify([
    [...activities.keys()].toSorted(),
    ...[isolateExecutionTimeoutMs, workflowThreadPoolSize, reuseV8Context],
  ]);
  const others = free.get(key) ?? [];
  free.set(key, others);
  const creator = others.pop() ?? (await create(code, options, logger));
  for (const { workerThread } of threadsOf(creator)) workerThread.unref();
  return {
    createWorkflow: (workflow) => creator.createWorkflow(workflow),
    // Workflows that a worker left behind when it was forced to end must not meet those of the next one.
    destroy: async () => {
      if (threadsOf(creator).some((thread) => thread.getActiveWorkflowCount() > 0)) await creator.destroy();
      else others.push(creator);
    },
  };
};

function threadsOf(creator: WorkflowCreator): Threads['workerThreadClients'] {
  if (!(creator instanceof ThreadedVMWorkflowCreator)) return [];
  return (creator as unknown as Threads).workerThreadClients;
}
