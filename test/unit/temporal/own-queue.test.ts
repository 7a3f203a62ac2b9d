import type { WorkflowTask } from '../../../src/temporal/first-tasks/workflow-task';
import { OwnTaskQueue } from '../../../src/temporal/first-tasks/own-queue';
import type { WaitingRun } from '../../../src/temporal/first-tasks/task-step';
import { waitFor } from '../../support/stack/wait-for';

const RUN: WaitingRun = {
  workflow: { workflowId: 'payment/1', workflowType: 'payment', traceparent: undefined, timeoutMs: 3_000 },
  waitSummary: 'until the next poll',
  later: () => null,
};
const taskOf = (runId: string, change: Partial<WorkflowTask> = {}): WorkflowTask => ({
  workflowExecution: { runId },
  ...change,
});

/** A Temporal that answers each poll with the next of these, and then waits. */
function queueWith(answers: (WorkflowTask | Error)[]) {
  const taken: [string, boolean][] = [];
  const closed: string[] = [];
  const queue = new OwnTaskQueue(
    {
      pollOwnTask: async (_queue, signal) => {
        const next = answers.shift();
        if (next instanceof Error) throw next;
        if (next !== undefined) return next;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('canceled')), { once: true });
        });
      },
      closeOwnQueue: async ({ name }) => void closed.push(name),
    },
    'payments',
    (task, run) => void taken.push([task.workflowExecution?.runId ?? '', run !== null]),
    { warn: () => undefined },
  );
  return { queue, taken, closed };
}

describe('the task queue of one process', () => {
  it('gives each run that waits its next task once, and leaves what it does not know to a worker', async () => {
    const { queue, taken } = queueWith([taskOf('a'), taskOf('a'), taskOf('b')]);
    expect(queue.keep('a', RUN)).toMatchObject({ workerTaskQueue: { normalName: 'payments' } });
    await waitFor(() => Promise.resolve(taken.length === 3));
    expect(taken).toEqual([
      ['a', true],
      ['a', false],
      ['b', false],
    ]);
    await queue.stop();
  });

  it('answers no query, so that Temporal asks a worker, and keeps the run', async () => {
    const { queue, taken } = queueWith([taskOf('a', { query: {} }), taskOf('a')]);
    queue.keep('a', RUN);
    await waitFor(() => Promise.resolve(taken.length === 1));
    expect(taken).toEqual([['a', true]]);
    await queue.stop();
  });

  it('asks for no tasks while its polls fail', async () => {
    const { queue } = queueWith([new Error('unavailable'), new Error('unavailable')]);
    expect(queue.keep('a', RUN)).not.toBeNull();
    await waitFor(() => Promise.resolve(queue.keep('b', RUN) === null));
    await queue.stop();
  });

  it('is closed when the process stops, and then asks for none', async () => {
    const { queue, closed } = queueWith([]);
    queue.keep('a', RUN);
    await queue.stop();
    expect(closed).toHaveLength(1);
    expect(queue.keep('b', RUN)).toBeNull();
  });

  it('is not opened by a process that keeps no run', async () => {
    const { queue, closed } = queueWith([]);
    await queue.stop();
    expect(closed).toEqual([]);
  });
});
