import { ApprovalPoller } from '../payments/approval-poller';
import type { Call, FinishedCall } from './load';
import type { LoadClient } from './load-client';
import { cardPaymentBody, pixPaymentBody } from './payment-bodies';
import { SimulatorControl } from '../../support/stack/simulator';

/** A card payment whose first response is the approval. */
export function cardCall(client: LoadClient): Call {
  return async () => {
    const body = cardPaymentBody(client.nextOrder());
    const { transaction_id } = await client.post('/payments/card', body, 'approved');
    return firstAnswer(transaction_id);
  };
}

/** A card payment that is authorized and then captured in full. */
export function captureCall(client: LoadClient): Call {
  return async () => {
    const body = { ...cardPaymentBody(client.nextOrder()), capture: false };
    const { transaction_id } = await client.post('/payments/card', body, 'authorized');
    const first = firstAnswer(transaction_id);
    await client.post(`/payments/${transaction_id}/capture`, {}, 'approved');
    return withFollowUp(first, first.answeredAt);
  };
}

/**
 * A pix that the customer pays at once. The second step lasts from the customer's request to the simulator until the
 * payment's row is approved; the simulator's callback and the service's status inquiry are in between.
 */
export async function pixCall(client: LoadClient, simulatorUrl: string, databaseUrl: string): Promise<Call> {
  const simulator = new SimulatorControl(simulatorUrl);
  const poller = await ApprovalPoller.connect(databaseUrl);
  return async () => {
    const body = pixPaymentBody(client.nextOrder());
    const { transaction_id } = await client.post('/payments/pix', body, 'pending');
    const first = firstAnswer(transaction_id);
    const paidAt = performance.now();
    await simulator.pay(transaction_id);
    await poller.waitForApproval(transaction_id);
    return withFollowUp(first, paidAt);
  };
}

export function firstAnswer(id: string): FinishedCall {
  return { id, answeredAt: performance.now() };
}

function withFollowUp(first: FinishedCall, since: number): FinishedCall {
  return { ...first, followUpMs: performance.now() - since };
}
