import { Client, Connection } from '@temporalio/client';
import type { bare } from '../payments/bare-workflow';
import { runLoad, type Call, type Load } from './load';
import type { LoadAnswer, LoadTarget, PaymentTarget } from './load-process';
import { Merchant, RUN } from './merchant';
import { subscriptionCall } from '../subscriptions/subscription-calls';
import { answered, captureCall, cardCall, pixCall } from './payment-calls';

/** The load generator's process: makes the calls its parent asks for, one load after the other. */

async function callOf(target: LoadTarget): Promise<Call> {
  switch (target.kind) {
    case 'card':
      return cardCall(companyOf(target));
    case 'capture':
      return captureCall(companyOf(target));
    case 'pix':
      return pixCall(companyOf(target), target.simulatorUrl, target.databaseUrl);
    case 'subscription': {
      const merchant = companyOf(target);
      return subscriptionCall(merchant, await merchant.newPlan());
    }
    case 'floor':
      return cardCall(new Merchant(target.url));
    case 'bare':
      return workflowCall(target.temporalAddress, target.taskQueue);
  }
}

function companyOf({
  apiUrl,
  clientId,
  apiKey,
}: Pick<PaymentTarget, 'apiUrl' | 'clientId' | 'apiKey'>): Merchant {
  return new Merchant(apiUrl, { 'x-client-id': clientId, 'x-api-key': apiKey });
}

async function workflowCall(address: string, taskQueue: string): Promise<Call> {
  const client = new Client({ connection: await Connection.connect({ address }) });
  let number = 0;
  return async () => {
    number += 1;
    const workflowId = `bare/${RUN}/${number}`;
    await client.workflow.execute<typeof bare>('bare', { workflowId, taskQueue });
    return answered(workflowId);
  };
}

async function main(): Promise<void> {
  const call = await callOf(JSON.parse(process.argv[2] ?? '') as LoadTarget);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (load: Load) => {
    runLoad(load, call).then(
      (result) => answer({ result }),
      (error: unknown) => answer({ failed: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function answer(message: LoadAnswer): void {
  process.send?.(message);
}

void main();
