import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { callbackBody, signed } from '../../api/callbacks/callback-api';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import type { EngineApi } from '../../api/support/engine-api';
import { waitFor } from '../../support/stack/wait-for';

export interface ReportedChange {
  readonly status: 'opened' | 'won' | 'lost';
  readonly amount: number;
  readonly returned_amount?: number;
  readonly kind?: 'chargeback' | 'retrieval' | 'med';
  readonly evidence_due_at?: string | null;
  readonly reason_code?: string | null;
  /** Seconds after the first report. */
  readonly after: number;
}

const OPENED_AT = new Date('2026-06-10T12:00:00.000Z');

/** A dispute at the gateway, which a test reports in any order. */
export class ReportedDispute {
  constructor(
    private readonly api: EngineApi,
    private readonly payment: PaymentBody,
    readonly gatewayId = `dp_${randomUUID()}`,
    private readonly openedAt = OPENED_AT,
  ) {}

  /** The callback that reports a change; the same callback each time that it is sent. */
  callback({ after, ...change }: ReportedChange): Record<string, unknown> {
    const dispute = {
      ...{ id: this.gatewayId, kind: 'chargeback', returned_amount: 0, reason_code: '10.4' },
      ...{ evidence_due_at: null, changed_at: new Date(+this.openedAt + after * 1_000).toISOString() },
      ...change,
    };
    return callbackBody(`${this.payment.transaction_id}-1`, { kind: 'chargeback', dispute });
  }

  async send(body: Record<string, unknown>): Promise<void> {
    const request = { params: { gateway: 'gateway_1' as const }, body, headers: signed(body) };
    expectStatus(await this.api.anonymous('receiveCallback', request), 200);
  }

  report(change: ReportedChange): Promise<void> {
    return this.send(this.callback(change));
  }
}

/** The payments of a subscription, oldest first. */
export async function paymentsOfSubscription(
  { engine }: EngineApi,
  byKey: ApiClient,
  subscriptionId: string,
): Promise<PaymentBody[]> {
  const rows = await engine.context.db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1 ORDER BY id',
    [subscriptionId],
  );
  return Promise.all(
    rows.map(async ({ id }) => expectStatus(await byKey('getPayment', { params: { id } }), 200).body),
  );
}

/** The payment's only dispute. */
export async function onlyDispute(byToken: ApiClient, { transaction_id }: PaymentBody) {
  const { data } = expectStatus(await byToken('listDisputes', { query: { transaction_id } }), 200).body;
  if (data.length > 1 || data[0] === undefined) throw new Error(`there are ${data.length} disputes`);
  return data[0];
}

export function untilDispute(byToken: ApiClient, payment: PaymentBody, status: string) {
  return waitFor(async () => {
    const dispute = await onlyDispute(byToken, payment);
    return dispute.status === status && dispute;
  });
}

/** Until every callback about a dispute of the payment is processed. */
export async function untilProcessed({ engine }: EngineApi, { transaction_id }: PaymentBody): Promise<void> {
  await waitFor(async () => {
    const [row] = await engine.context.db.query<{ count: number }>(
      `SELECT count(*) FROM gateway_callbacks c JOIN payments p ON p.id = c.payment_id
        WHERE p.transaction_id = $1 AND c.dispute_id IS NOT NULL AND c.processed_at IS NULL`,
      [transaction_id],
    );
    return row?.count === 0;
  });
}

/** The types of the events about a dispute, oldest first. */
export async function disputeEvents({ engine }: EngineApi, disputeId: string): Promise<string[]> {
  const rows = await engine.context.db.query<{ type: string }>(
    `SELECT type FROM events WHERE subject_type = 'dispute' AND subject_id = $1 ORDER BY sequence`,
    [disputeId],
  );
  return rows.map(({ type }) => type.replace('transaction.dispute.', ''));
}

/** The postings of the payment's entries about disputes, oldest first. */
export async function disputePostings(byToken: ApiClient, { transaction_id }: PaymentBody) {
  const { data } = expectStatus(await byToken('listLedgerEntries', { query: { transaction_id } }), 200).body;
  return data
    .toReversed()
    .filter(({ kind }) => kind.startsWith('dispute'))
    .map(({ kind, postings }) => [kind, ...postings.map(({ account, amount }) => `${account} ${amount}`)]);
}
