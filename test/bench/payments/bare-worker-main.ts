import { NativeConnection, Worker } from '@temporalio/worker';

/** Reference T's worker: `BENCH_TEMPORAL_ADDRESS`, `BENCH_TASK_QUEUE`. Every setting of the SDK as it comes. */
async function main(): Promise<void> {
  const connection = await NativeConnection.connect({ address: process.env.BENCH_TEMPORAL_ADDRESS ?? '' });
  const worker = await Worker.create({
    connection,
    taskQueue: process.env.BENCH_TASK_QUEUE ?? '',
    workflowsPath: require.resolve('./bare-workflow'),
    activities: { nothing: () => Promise.resolve() },
  });
  await worker.run();
}

void main();
