import { randomUUID } from 'node:crypto';
import type { Engine } from '../stack/engine';
import type { Purchase } from './purchase';

/** Stores a signed callback about the charge, as the API does, and does not signal the workflow. */
export async function storeCallback({ context: { callbacks } }: Engine, { body }: Purchase): Promise<void> {
  const reference = `${body.transaction_id}-1`;
  const subject = await callbacks.findSubject('gateway_1', { reference, gatewayTransactionId: null }, null);
  if (subject === null) throw new Error('the charge does not exist');
  await callbacks.insert({
    gateway: 'gateway_1',
    subject,
    eventId: randomUUID(),
    kind: 'status',
    gatewayTransactionId: null,
    body: Buffer.from('{}'),
    bodyHash: 'hash',
    headers: {},
    trusted: true,
    reportedState: null,
    refundCents: null,
    dispute: null,
    receivedAt: new Date(),
  });
}
