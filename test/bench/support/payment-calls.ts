import { ApprovalWatch } from '../payments/approval-watch';
import type { Call, FinishedCall } from './load';
import { type Merchant } from './merchant';
import { cardPaymentBody, pixPaymentBody } from './payment-bodies';
import { SimulatorControl } from '../../support/stack/simulator';

/** A card payment that is approved at once. */
export function cardCall(merchant: Merchant): Call {
  return async () => {
    const body = cardPaymentBody(merchant.nextOrder());
    const { transaction_id } = await merchant.post('/payments/card', body, 'approved');
    return answered(transaction_id);
  };
}

/** A card payment that is authorized, and then captured whole. */
export function captureCall(merchant: Merchant): Call {
  return async () => {
    const body = { ...cardPaymentBody(merchant.nextOrder()), capture: false };
    const { transaction_id } = await merchant.post('/payments/card', body, 'authorized');
    const first = answered(transaction_id);
    await merchant.post(`/payments/${transaction_id}/capture`, {}, 'approved');
    return followed(first, first.answeredAt);
  };
}

/**
 * A pix that its customer pays as soon as it is there. The second step goes from the customer's request to the simulator,
 * over its callback and the engine's question back, to the payment's row that says approved.
 */
export async function pixCall(merchant: Merchant, simulatorUrl: string, databaseUrl: string): Promise<Call> {
  const simulator = new SimulatorControl(simulatorUrl);
  const watch = await ApprovalWatch.on(databaseUrl);
  return async () => {
    const body = pixPaymentBody(merchant.nextOrder());
    const { transaction_id } = await merchant.post('/payments/pix', body, 'pending');
    const first = answered(transaction_id);
    const paidAt = performance.now();
    await simulator.pay(transaction_id);
    await watch.approved(transaction_id);
    return followed(first, paidAt);
  };
}

export function answered(id: string): FinishedCall {
  return { id, answeredAt: performance.now() };
}

function followed(first: FinishedCall, since: number): FinishedCall {
  return { ...first, followUpMs: performance.now() - since };
}
