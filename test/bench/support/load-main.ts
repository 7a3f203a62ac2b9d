import { Client, Connection } from '@temporalio/client';
import { credentialHeaders } from '../../support/merchant/company';
import type { bare } from '../payments/bare-workflow';
import { runLoad, type Call, type Load } from './load';
import type { LoadAnswer, LoadTarget, PaymentTarget } from './load-process';
import { LoadClient, RUN_ID } from './load-client';
import { subscriptionCall } from '../subscriptions/subscription-calls';
import { firstAnswer, captureCall, cardCall, pixCall } from './payment-calls';

/** The load generator's process: runs one load after the other, as its parent requests. */

async function createCall(target: LoadTarget): Promise<Call> {
  switch (target.kind) {
    case 'card':
      return cardCall(clientOf(target));
    case 'capture':
      return captureCall(clientOf(target));
    case 'pix':
      return pixCall(clientOf(target), target.simulatorUrl, target.databaseUrl);
    case 'subscription': {
      const client = clientOf(target);
      return subscriptionCall(client, await client.createPlan());
    }
    case 'baseline service':
      return cardCall(new LoadClient(target.url));
    case 'bare':
      return workflowCall(target.temporalAddress, target.taskQueue);
  }
}

function clientOf({ apiUrl, credentials }: Pick<PaymentTarget, 'apiUrl' | 'credentials'>): LoadClient {
  return new LoadClient(apiUrl, credentialHeaders(credentials));
}

async function workflowCall(address: string, taskQueue: string): Promise<Call> {
  const client = new Client({ connection: await Connection.connect({ address }) });
  let number = 0;
  return async () => {
    number += 1;
    const workflowId = `bare/${RUN_ID}/${number}`;
    await client.workflow.execute<typeof bare>('bare', { workflowId, taskQueue });
    return firstAnswer(workflowId);
  };
}

async function main(): Promise<void> {
  const call = await createCall(JSON.parse(process.argv[2] ?? '') as LoadTarget);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (load: Load) => {
    runLoad(load, call).then(
      (result) => sendToParent({ result }),
      (error: unknown) => sendToParent({ failed: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function sendToParent(message: LoadAnswer): void {
  process.send?.(message);
}

void main();
