import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** Baseline T: the minimum cost of a durable workflow with one activity. */
export async function bare(): Promise<void> {
  await nothing();
}
