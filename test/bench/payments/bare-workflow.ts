import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** Reference T: the least that a durable workflow around one outside call costs. */
export async function bare(): Promise<void> {
  await nothing();
}
