import { createHash } from 'node:crypto';
import type { NumberedLine } from '../../src/domain/settlement/match-lines';
import type { SettlementRecord } from '../../src/persistence/settlement/settlement-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SettlementDeps } from './settlement-deps';

/**
 * Stores what a line shows of a payment as a finding, with the line as its evidence. It is for the payment's workflow, which inquires by
 * the gateway's id and records the answer; the sweeper wakes it. Only at a gateway without inquiries is the line of a sale in
 * the gateway's own statement the answer itself, as its signed callbacks are: a line that settles may be one installment of many.
 */
export async function storeFinding(
  deps: SettlementDeps,
  tx: Tx,
  settlement: SettlementRecord,
  line: NumberedLine,
): Promise<void> {
  const { id, companyId, gatewaySlug: gateway, source } = settlement;
  const { reference, gatewayTransactionId } = line;
  const name = subjectName(reference, gatewayTransactionId);
  const subject = name && (await deps.callbacks.findSubject(gateway, name, null, tx));
  if (subject === null || subject.payment.companyId !== companyId) return;
  const { truth } = deps.registries.of(companyId).capabilities(gateway);
  const isPaidLater = subject.payment.paymentMethod !== 'card';
  const reportedState =
    source === 'gateway' &&
    truth === 'signed_callback' &&
    line.kind === 'sale' &&
    line.currency === subject.payment.currency
      ? ({
          status: 'approved',
          capturedCents: line.amountCents,
          refundedCents: 0,
          paidCents: isPaidLater ? line.amountCents : 0,
        } as const)
      : null;
  const body = Buffer.from(JSON.stringify({ settlement_id: id, line }));
  const callback = {
    gateway,
    subject,
    eventId: `statement-${id}-${line.number}`,
    kind: 'status',
    gatewayTransactionId,
    body,
    bodyHash: createHash('sha256').update(body).digest('hex'),
    headers: {},
    trusted: true,
    reportedState,
    refundCents: null,
    dispute: null,
    receivedAt: deps.now(),
  } as const;
  await deps.callbacks.insert(callback, null, tx);
}

function subjectName(reference: string | null, gatewayTransactionId: string | null) {
  if (reference !== null) return { reference, gatewayTransactionId };
  return gatewayTransactionId === null ? null : { reference, gatewayTransactionId };
}
