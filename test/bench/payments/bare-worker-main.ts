import { NativeConnection, Worker } from '@temporalio/worker';

/** The worker of baseline T, with the SDK's default settings. Configured by `BENCH_TEMPORAL_ADDRESS` and `BENCH_TASK_QUEUE`. */
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
