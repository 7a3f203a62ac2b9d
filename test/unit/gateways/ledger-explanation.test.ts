import { Ledger, post, type LedgerEntry, type Posting } from '../../../src/simulator/ledger';
import { unexplainedEntries, type ExplainingRow } from '../../support/scenarios/ledger-explanation';

const PAYMENT = '0190a6f2-7c1e-7b3a-9f00-000000000001';
const ledger = new Ledger();
const entries = (chargeId: string, postings: readonly Posting[], reference = `${PAYMENT}-1`): LedgerEntry[] =>
  ledger.draft({ gateway: 'gateway_1', reference, chargeId }, postings, new Date());
const SALE = entries('ch_1', [post.authorized(1_000), ...post.captured(1_000, [], 0)]);

function row(change: Partial<ExplainingRow> = {}): ExplainingRow {
  return {
    ...{ id: 'charge', operation: 'charge', purpose: 'charge', status: 'approved', amountCents: 1_000 },
    ...{ splitCents: null, reference: `${PAYMENT}-1`, gatewayTransactionId: 'ch_1', targetAttemptId: null },
    ...{ paymentMethod: 'card', paymentAmountCents: 1_000, paidCents: null },
    ...change,
  };
}

const refund = (change: Partial<ExplainingRow> = {}): ExplainingRow =>
  row({
    ...{
      id: 'refund',
      operation: 'refund',
      purpose: 'merchant_request',
      status: 'refunded',
      amountCents: 400,
    },
    ...{ reference: `${PAYMENT}-1-refund`, targetAttemptId: 'charge', ...change },
  });

const refundEntries = entries('ch_1', post.refunded(400, []), `${PAYMENT}-1-refund`);
const gatewaysRefund = entries('ch_1', post.refunded(300, []));
const foundRefund = refund({
  id: 'found',
  purpose: 'found_at_gateway',
  amountCents: 300,
  reference: 'found',
});

describe('the explanation of the ledger', () => {
  it.each([
    ['a sale', SALE, [row()]],
    ['a decline', entries('ch_1', [post.memo('declined', 1_000)]), [row({ status: 'declined' })]],
    [
      'refunds of ours and of the gateway',
      [...SALE, ...refundEntries, ...gatewaysRefund],
      [row(), refund(), foundRefund],
    ],
    [
      'a reversed charge',
      [...SALE, ...entries('ch_1', post.refunded(1_000, []), `${PAYMENT}-1-refund`)],
      [row({ status: 'refunded' }), refund({ purpose: 'reversal', amountCents: 1_000 })],
    ],
    [
      'a charge that its gateway returned before it answered',
      [...SALE, ...entries('ch_1', post.refunded(1_000, []))],
      [row({ status: 'error' })],
    ],
    [
      'an authorization, captured in part',
      [
        ...entries('ch_1', [post.authorized(1_000)]),
        ...entries('ch_1', [...post.captured(600, [], 0), post.released(400)], `${PAYMENT}-1-capture`),
      ],
      [
        row({ operation: 'authorize', status: 'authorized' }),
        row({ id: 'capture', operation: 'capture', amountCents: 600, targetAttemptId: 'charge' }),
      ],
    ],
    [
      'a pix that was paid in part',
      entries('ch_1', [post.memo('pending', 1_000), post.paid(300), ...post.captured(300, [], 0)]),
      [row({ status: 'pending', paymentMethod: 'pix', paidCents: 300 })],
    ],
  ])('accepts %s', (_, ofLedger, rows) => {
    expect(unexplainedEntries(ofLedger, rows)).toEqual([]);
  });

  it.each([
    ['a charge without a row', SALE, []],
    ['a row without a charge', [], [row()]],
    ['a charge recorded as declined that was captured', SALE, [row({ status: 'declined' })]],
    ['a second charge of the same row', [...SALE, ...entries('ch_2', [post.authorized(1_000)])], [row()]],
    ['a refund without a row', [...SALE, ...refundEntries], [row()]],
    ['a refund that has a row and no entry', SALE, [row(), refund()]],
    ['a refund of another amount', [...SALE, ...refundEntries], [row(), refund({ amountCents: 401 })]],
    ['a refund of the gateway that nobody found', [...SALE, ...gatewaysRefund], [row()]],
    ['a reversal of a part', SALE, [row({ status: 'abandoned' }), refund({ purpose: 'reversal' })]],
    [
      'a share that no row has',
      entries('ch_1', [
        post.authorized(1_000),
        ...post.captured(
          1_000,
          [{ recipient_id: 're_1', amount: 1_000, liable: true, charge_processing_fee: true }],
          0,
        ),
      ]),
      [row()],
    ],
    [
      'more paid by pix than is recorded',
      entries('ch_1', [post.memo('pending', 1_000), post.paid(301), ...post.captured(301, [], 0)]),
      [row({ status: 'pending', paymentMethod: 'pix', paidCents: 300 })],
    ],
  ])('reports %s', (_, ofLedger, rows) => {
    expect(unexplainedEntries(ofLedger, rows)).not.toEqual([]);
  });
});
