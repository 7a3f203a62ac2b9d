import { randomUUID } from 'node:crypto';
import type { CallbackBody } from '../../../gateways/simulator/wire-callback';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import type { CallbackKind } from '../adapter';
import { disputeReportOf } from './dispute-report';

export function callbackBodyOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): Buffer {
  const body: CallbackBody = {
    id: `evt_${randomUUID()}`,
    kind,
    charge_id: charge.id,
    reference: charge.reference,
    amount: charge.amount,
    paid_amount: charge.paid,
    captured_amount: charge.captured,
    refunded_amount: charge.refunded,
    ...(dispute !== undefined && { dispute: disputeReportOf(dispute) }),
    created_at: new Date().toISOString(),
  };
  return Buffer.from(JSON.stringify(body));
}
