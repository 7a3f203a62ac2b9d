import { PagarmeDriver } from '../../../../src/gateways/pagarme/driver';
import { CHARGE_STATUSES, TRANSACTION_STATUSES } from '../../../../src/gateways/pagarme/wire';
import {
  AMOUNT,
  charge,
  chargeRequest,
  listOf,
  ok,
  order,
  pagarmeStub,
  REFERENCE,
  shown,
  transaction,
} from './pagarme-stub';

const driver = new PagarmeDriver();

type Method = 'credit_card' | 'pix' | 'boleto';
const CODE = {
  credit_card: {},
  pix: { qr_code: '000201', expires_at: '2026-11-24T12:00:00Z' },
  boleto: {
    line: `${'1'.repeat(5)}.${'2'.repeat(42)}`,
    url: 'https://x.invalid/b',
    due_at: '2040-09-20T23:59:59Z',
  },
} as const;

/** What an inquiry says about a charge in these states; `null` is inconclusive. */
async function inquired(method: Method, status: string, last: string, changes: object = {}) {
  const transactions = transaction({
    ...{ transaction_type: method, operation_type: method === 'credit_card' ? 'auth_only' : null },
    ...{ status: last, ...CODE[method] },
  });
  const isPaid = ['paid', 'overpaid', 'chargedback'].includes(status);
  const paid = isPaid ? AMOUNT : null;
  const body = {
    status,
    payment_method: method,
    paid_amount: paid,
    last_transaction: transactions,
    ...changes,
  };
  const { ctx } = pagarmeStub(ok(shown(body)), listOf(transactions));
  const subject = { reference: REFERENCE, gatewayTransactionId: 'ch_1', sentAt: null };
  const result = await driver.inquire(ctx, subject);
  if (result.kind !== 'found') return null;
  const { outcome } = result;
  return outcome.kind === 'declined' ? 'declined' : (outcome.chargeState?.status ?? 'no state');
}

/** Of a failed charge; every other state of its transaction is unknown. */
const FAILED: Readonly<Record<string, string>> = {
  not_authorized: 'declined',
  failed: 'declined',
  expired: 'expired',
};
const UNPAID = ['waiting_payment', 'generated', 'viewed'];
/** An operation that did not change the unpaid charge. */
const UNDONE = [
  ...['failed', 'not_authorized', 'with_error', 'error_on_voiding', 'error_on_refunding'],
  ...['waiting_capture', 'waiting_cancellation', 'pending_refund'],
];
const RETURNED = ['refunded', 'partial_refunded'];
const PAYMENTS = ['captured', 'partial_capture', 'paid', 'overpaid', 'chargedback'];

function expectedOf(method: Method, status: string, last: string): string | null {
  const isCard = method === 'credit_card';
  switch (status) {
    case 'paid':
    case 'overpaid':
    case 'chargedback':
      // The first transaction was returned, so nothing is left.
      return [...RETURNED, 'voided', 'partial_void'].includes(last) ? 'refunded' : 'approved';
    case 'canceled':
      return [...RETURNED, ...PAYMENTS].includes(last) ? 'refunded' : 'canceled';
    case 'underpaid':
      return isCard ? null : 'pending';
    case 'pending':
      if (!isCard) return [...UNPAID, ...UNDONE].includes(last) ? 'pending' : null;
      return last === 'authorized_pending_capture' ? 'authorized' : null;
    case 'failed':
      return FAILED[last] ?? null;
    default:
      return null;
  }
}

describe.each<Method>(['credit_card', 'pix', 'boleto'])('a charge by %s', (method) => {
  it.each(CHARGE_STATUSES)('in the state %s has a row for each state of its transaction', async (status) => {
    const rows = await Promise.all(
      TRANSACTION_STATUSES.map(async (last) => [last, await inquired(method, status, last)]),
    );
    const expected = TRANSACTION_STATUSES.map((last) => [last, expectedOf(method, status, last)]);
    expect(rows).toEqual(expected);
  });

  it('in a state that nobody knows is unknown', async () => {
    expect(await inquired(method, 'refunded_in_part', 'captured')).toBeNull();
    expect(await inquired(method, 'paid', 'captured_twice')).toBeNull();
  });
});

describe('a card', () => {
  it('that the anti-fraud service still looks at is unknown, and one that it refused is declined as fraud', async () => {
    const reviewed = (status: string, last: string, review: string) => {
      const antifraud_response = { status: review };
      const last_transaction = transaction({ status: last, operation_type: 'auth_only', antifraud_response });
      return inquired('credit_card', status, last, { last_transaction });
    };
    expect(await reviewed('pending', 'authorized_pending_capture', 'pending')).toBeNull();
    expect(await reviewed('pending', 'authorized_pending_capture', 'approved')).toBe('authorized');
    expect(await reviewed('failed', 'voided', 'reproved')).toBe('declined');
  });

  it.each(UNDONE)('whose capture or cancel is %s stays authorized', async (status) => {
    for (const operation_type of ['capture', 'cancel']) {
      const last_transaction = transaction({ status, operation_type });
      expect(await inquired('credit_card', 'pending', status, { last_transaction })).toBe('authorized');
    }
  });

  it('can be captured for five days', async () => {
    const authorized = charge({
      ...{ status: 'pending', paid_amount: null },
      last_transaction: transaction({ status: 'authorized_pending_capture', operation_type: 'auth_only' }),
    });
    const { ctx } = pagarmeStub(ok(order(authorized)));
    expect(await driver.authorize(ctx, chargeRequest())).toMatchObject({
      kind: 'authorized',
      captureBefore: '2026-11-28T12:00:00.000Z',
    });
  });
});

describe('money of a charge', () => {
  const inquire = async (body: object, ...transactions: readonly object[]) => {
    const { ctx, paths } = pagarmeStub(ok(shown(body)), listOf(...transactions));
    const subject = { reference: REFERENCE, gatewayTransactionId: 'ch_1', sentAt: null };
    const result = await driver.inquire(ctx, subject);
    const state =
      result.kind === 'found' && result.outcome.kind !== 'declined' ? result.outcome.chargeState : null;
    return { state, requests: paths().length };
  };
  const cancel = (changes: object) => transaction({ operation_type: 'cancel', ...changes });

  it('is told by the charge alone while nothing was returned', async () => {
    expect(await inquire({})).toEqual({
      state: { status: 'approved', capturedCents: AMOUNT, refundedCents: 0, paidCents: 0 },
      requests: 1,
    });
  });

  it('is told by its transactions after a full refund, whose charge has no paid amount', async () => {
    const refund = cancel({ status: 'refunded' });
    const body = { status: 'canceled', paid_amount: null, canceled_amount: AMOUNT, last_transaction: refund };
    expect((await inquire(body, refund, transaction())).state).toMatchObject({
      ...{ status: 'refunded', capturedCents: AMOUNT, refundedCents: AMOUNT },
    });
  });

  it('is none after a void, though the charge counts a canceled amount', async () => {
    const voided = cancel({ status: 'voided' });
    const first = transaction({ status: 'authorized_pending_capture', operation_type: 'auth_only' });
    const body = { status: 'canceled', paid_amount: null, canceled_amount: AMOUNT, last_transaction: voided };
    expect((await inquire(body, voided, first)).state).toMatchObject({
      status: 'canceled',
      refundedCents: 0,
    });
  });

  it('after a refund on the day of the capture, which is a void, has come back', async () => {
    const voided = cancel({ status: 'voided' });
    const body = { status: 'canceled', paid_amount: null, canceled_amount: AMOUNT, last_transaction: voided };
    expect((await inquire(body, voided, transaction())).state).toMatchObject({ status: 'refunded' });
  });

  it('counts the rest of a partial capture as no refund', async () => {
    const captured = transaction({ status: 'partial_capture', operation_type: 'capture', amount: 7_000 });
    const body = { paid_amount: 7_000, canceled_amount: AMOUNT - 7_000, last_transaction: captured };
    const first = transaction({ status: 'authorized_pending_capture', operation_type: 'auth_only' });
    expect((await inquire(body, captured, first)).state).toMatchObject({
      ...{ status: 'approved', capturedCents: 7_000, refundedCents: 0 },
    });
  });

  it('counts refunds that are carried out, whatever the order of the list', async () => {
    const at = (minute: number) => ({ created_at: `2026-11-23T12:0${minute}:00Z` });
    const done = cancel({ status: 'partial_refunded', amount: 4_000, ...at(1) });
    const refused = cancel({ status: 'error_on_refunding', amount: 1_000, ...at(2) });
    const waiting = cancel({ status: 'pending_refund', amount: 500, ...at(3) });
    const body = { canceled_amount: 4_000, last_transaction: waiting };
    for (const list of [
      [waiting, refused, done, transaction()],
      [transaction(), done, refused, waiting],
    ]) {
      expect((await inquire(body, ...list)).state).toMatchObject({
        status: 'approved',
        refundedCents: 4_000,
      });
    }
  });

  it('whose paid amount is not shown while a refund waits is told by its transactions', async () => {
    const waiting = cancel({ status: 'pending_refund' });
    const { state } = await inquire({ paid_amount: null, last_transaction: waiting }, waiting, transaction());
    expect(state).toMatchObject({ status: 'approved', capturedCents: AMOUNT, refundedCents: 0 });
  });

  it('of a boleto that was paid too little or too much is what was paid', async () => {
    const boleto = (paid: string) => ({
      payment_method: 'boleto',
      paid_amount: null,
      last_transaction: transaction({
        ...CODE.boleto,
        operation_type: null,
        paid_amount: paid,
        status: 'underpaid',
      }),
    });
    expect((await inquire({ ...boleto('9000'), status: 'underpaid' })).state).toEqual({
      ...{ status: 'pending', capturedCents: 0, refundedCents: 0, paidCents: 9_000 },
    });
    expect((await inquire({ ...boleto('13000'), status: 'overpaid' })).state).toMatchObject({
      ...{ status: 'approved', capturedCents: AMOUNT, paidCents: 13_000 },
    });
  });
});

describe('a boleto', () => {
  const boleto = async (changes: object) => {
    const last_transaction = transaction({
      status: 'generated',
      operation_type: null,
      ...CODE.boleto,
      ...changes,
    });
    const body = { status: 'pending', payment_method: 'boleto', paid_amount: null, last_transaction };
    const { ctx } = pagarmeStub(ok(shown(body)));
    const result = await driver.inquire(ctx, {
      reference: REFERENCE,
      gatewayTransactionId: 'ch_1',
      sentAt: null,
    });
    return result.kind === 'found' && result.outcome.kind === 'pending' ? result.outcome.billet : null;
  };
  // An example of FEBRABAN's layout: bank 001, currency 9, due factor 3737, R$ 1.00.
  const LINE = '00190.50095 40144.816069 06809.350314 3 37370000000100';

  it('has its barcode made of its line, because the answer’s barcode is the address of an image', async () => {
    expect(await boleto({ line: LINE, barcode: 'https://x.invalid/barcode' })).toMatchObject({
      line: '00190500954014481606906809350314337370000000100',
      barcode: '00193373700000001000500940144816060680935031',
    });
  });

  it.each([
    ['2040-09-20T23:59:59Z', '2040-09-20'],
    ['2040-09-20T00:00:00Z', '2040-09-20'],
    ['2040-09-20T00:00:00', '2040-09-20'],
    ['2040-09-20', '2040-09-20'],
    // The end of the day in Brasília.
    ['2040-09-21T02:59:59Z', '2040-09-20'],
  ])('that is due at %s is due on %s in Brasília', async (due_at, dueAt) => {
    expect(await boleto({ due_at })).toMatchObject({ dueAt });
  });

  it('without a readable line is not a boleto yet', async () => {
    expect(await boleto({ line: null })).toBeNull();
    expect(await boleto({ line: '12345' })).toBeNull();
  });
});
