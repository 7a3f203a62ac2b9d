import type { InquiredRefund } from '../../../../src/gateways/inquired-refund';
import { PagarmeDriver } from '../../../../src/gateways/pagarme/driver';
import {
  AMOUNT,
  BANK_ACCOUNT,
  charge,
  error,
  followUp,
  listOf,
  ok,
  order,
  pagarmeStub,
  REFERENCE,
  SEND_BEFORE,
  shown,
  transaction,
  type StubAnswer,
} from './pagarme-stub';

const driver = new PagarmeDriver();
const cancelOf = (changes: object = {}) => transaction({ operation_type: 'cancel', ...changes });
const AUTHORIZED = shown({
  ...{ status: 'pending', paid_amount: null },
  last_transaction: transaction({ status: 'authorized_pending_capture', operation_type: 'auth_only' }),
});

async function operate(
  operation: 'capture' | 'cancel' | 'refund',
  answers: readonly StubAnswer[],
  changes = {},
) {
  const stub = pagarmeStub(...answers);
  const request = followUp({ reference: `${REFERENCE}-${operation}`, ...changes });
  const result = await driver[operation](stub.ctx, request).catch((thrown: unknown) => thrown);
  return { ...stub, result };
}

describe('a capture', () => {
  const captured = (changes: object = {}, last: object = {}) =>
    ok(
      charge({
        ...{ code: `${REFERENCE}-capture` },
        last_transaction: transaction({ operation_type: 'capture', ...last }),
        ...changes,
      }),
    );

  it('gives the charge its own code, by which it is recognized later', async () => {
    const { result, paths, body, sent } = await operate('capture', [captured()]);
    expect(result).toMatchObject({ kind: 'approved', amountCents: AMOUNT, gatewayTransactionId: 'ch_1' });
    expect(paths()).toEqual(['POST charges/ch_1/capture']);
    const reference = `${REFERENCE}-capture`;
    expect(body(0)).toEqual({ amount: AMOUNT, code: reference, operation_reference: reference });
    expect(sent[0]).toMatchObject({ headers: { 'idempotency-key': 'key' }, sendBefore: SEND_BEFORE });
  });

  it.each([
    ['another charge', captured({ id: 'ch_2' })],
    ['another code', captured({ code: REFERENCE })],
    ['another amount', captured({}, { amount: 1 })],
    ['no transaction', captured({ last_transaction: null })],
    ['no capture yet', captured({ status: 'pending' }, { status: 'waiting_capture' })],
  ])('that is answered with %s is ambiguous', async (_, answer) => {
    expect((await operate('capture', [answer])).result).toMatchObject({ family: 'ambiguous' });
  });

  it('that is refused is a decline', async () => {
    const answer = captured({ status: 'pending' }, { status: 'failed', acquirer_return_code: '51' });
    expect((await operate('capture', [answer])).result).toMatchObject({ kind: 'declined', code: '51' });
  });
});

describe('a cancel and a refund, which are one request at Pagar.me', () => {
  const voided = ok(
    charge({ status: 'canceled', paid_amount: null, last_transaction: cancelOf({ status: 'voided' }) }),
  );
  const refunded = (last: object = {}, changes: object = {}) =>
    ok(charge({ last_transaction: cancelOf({ status: 'refunded', ...last }), ...changes }));

  it('read the charge first, within the send window', async () => {
    const cancel = await operate('cancel', [ok(AUTHORIZED), voided]);
    expect(cancel.result).toMatchObject({ kind: 'canceled', amountCents: AMOUNT });
    expect(cancel.paths()).toEqual(['GET charges/ch_1', 'DELETE charges/ch_1']);
    expect(cancel.sent.map(({ sendBefore }) => sendBefore)).toEqual([SEND_BEFORE, SEND_BEFORE]);
    expect(cancel.body(1)).toEqual({ operation_reference: `${REFERENCE}-cancel` });
    const refund = await operate('refund', [ok(shown()), refunded({ amount: 4_000 })], {
      amountCents: 4_000,
    });
    expect(refund.result).toMatchObject({ kind: 'refunded', amountCents: 4_000 });
    expect(refund.body(1)).toEqual({ amount: 4_000, operation_reference: `${REFERENCE}-refund` });
  });

  it.each([
    ['cancel', 'a paid charge', shown()],
    [
      'cancel',
      'an underpaid boleto',
      shown({ status: 'underpaid', payment_method: 'boleto', paid_amount: 1 }),
    ],
    ['refund', 'an authorization', AUTHORIZED],
    ['refund', 'a failed charge', shown({ status: 'failed', paid_amount: null })],
  ] as const)(
    'a %s of %s is refused before it is sent, because it would do the other',
    async (operation, _, before) => {
      const { result, paths } = await operate(operation, [ok(before)]);
      expect(result).toMatchObject({ family: 'invalid_request' });
      expect(paths()).toEqual(['GET charges/ch_1']);
    },
  );

  it('are not sent if the charge cannot be read', async () => {
    for (const answer of [
      error(500, 'An error has occurred.'),
      ok('half'),
      { status: 200, body: '<html>' },
    ]) {
      const { result, paths } = await operate('refund', [answer]);
      expect(result).toMatchObject({ family: 'not_sent' });
      expect(paths()).toHaveLength(1);
    }
  });

  it('of an unpaid pix is unsupported, because Pagar.me refuses it until its expiry and after it', async () => {
    const pix = shown({ status: 'pending', payment_method: 'pix', paid_amount: null });
    const { result, paths } = await operate('cancel', [ok(pix)]);
    expect(result).toMatchObject({
      family: 'unsupported',
      message: expect.stringContaining('pix') as unknown,
    });
    expect(paths()).toEqual(['GET charges/ch_1']);
  });

  it('of a boleto is refunded to a bank account only', async () => {
    const boleto = shown({ payment_method: 'boleto' });
    const without = await operate('refund', [ok(boleto)]);
    expect(without.result).toMatchObject({ family: 'invalid_request' });
    expect(without.paths()).toHaveLength(1);
    const { body } = await operate('refund', [ok(boleto), refunded()], { bankAccount: BANK_ACCOUNT });
    const { bank_code: bank, ...account } = BANK_ACCOUNT;
    expect(body(1)).toMatchObject({ bank_account: { ...account, bank } });
  });

  it.each([
    ['refunded', 'refunded'],
    ['partial_refunded', 'refunded'],
    ['voided', 'refunded'],
    ['partial_void', 'refunded'],
    ['pending_refund', 'pending'],
    ['waiting_cancellation', 'pending'],
    ['error_on_refunding', 'declined'],
    ['error_on_voiding', 'declined'],
    ['failed', 'declined'],
    ['not_authorized', 'declined'],
  ])('that is answered with the state %s is %s', async (status, kind) => {
    expect((await operate('refund', [ok(shown()), refunded({ status })])).result).toMatchObject({ kind });
    const other = await operate('refund', [ok(shown()), refunded({ status, amount: 1 })]);
    expect(other.result).toMatchObject({ family: 'ambiguous' });
  });

  it('that is accepted without a transaction of its own is pending', async () => {
    const paid = { last_transaction: transaction({ status: 'paid' }) };
    const accepted = ok(charge({ ...paid, pending_cancellation: true }));
    expect((await operate('refund', [ok(shown()), accepted])).result).toMatchObject({ kind: 'pending' });
    const nothing = await operate('refund', [ok(shown()), ok(charge(paid))]);
    expect(nothing.result).toMatchObject({ family: 'ambiguous' });
  });

  it('that is repeated on a charge that is canceled by now is sent, so that Pagar.me repeats its answer', async () => {
    const canceled = shown({
      status: 'canceled',
      paid_amount: null,
      last_transaction: cancelOf({ status: 'refunded' }),
    });
    expect((await operate('refund', [ok(canceled), refunded()])).result).toMatchObject({ kind: 'refunded' });
    expect((await operate('cancel', [ok(canceled), voided])).result).toMatchObject({ kind: 'canceled' });
  });
});

describe('an inquiry about an operation', () => {
  const inquire = async (operation: string, answers: readonly StubAnswer[], refund?: InquiredRefund) => {
    const reference = `${REFERENCE}-${operation}`;
    const subject = { reference, gatewayTransactionId: 'ch_1', sentAt: null, ...(refund && { refund }) };
    return driver.inquire(pagarmeStub(...answers).ctx, subject);
  };
  const found = (kind: string, amountCents = AMOUNT) => ({ kind: 'found', outcome: { kind, amountCents } });
  const NOT_FOUND = { kind: 'not_found' };
  const UNCLEAR = { kind: 'inconclusive' };

  it('finds a capture by the charge’s code, also after a refund, and not that of the dashboard', async () => {
    const code = `${REFERENCE}-capture`;
    const captured = shown({
      code,
      paid_amount: 7_000,
      last_transaction: transaction({ status: 'partial_capture', amount: 7_000 }),
    });
    expect(await inquire('capture', [ok(captured)])).toMatchObject(found('approved', 7_000));
    const refund = cancelOf({ status: 'refunded' });
    const canceled = shown({ code, status: 'canceled', paid_amount: null, last_transaction: refund });
    expect(await inquire('capture', [ok(canceled), listOf(refund, transaction())])).toMatchObject(
      found('approved'),
    );
    expect(await inquire('capture', [ok(shown())])).toEqual(NOT_FOUND);
    const waiting = shown({ code, status: 'pending', paid_amount: null });
    expect(await inquire('capture', [ok(waiting)])).toMatchObject(UNCLEAR);
  });

  it('finds a cancel by the charge, unless its money came back by a refund', async () => {
    const last = cancelOf({ status: 'voided' });
    const canceled = ok(shown({ status: 'canceled', paid_amount: null, last_transaction: last }));
    const first = transaction({ status: 'authorized_pending_capture', operation_type: 'auth_only' });
    expect(await inquire('cancel', [canceled, listOf(last, first)])).toMatchObject(found('canceled'));
    expect(await inquire('cancel', [canceled, listOf(last, transaction())])).toMatchObject(UNCLEAR);
    expect(await inquire('cancel', [ok(AUTHORIZED)])).toEqual(NOT_FOUND);
  });

  const refundOf = (amountCents: number, ...others: InquiredRefund['others']) => ({ amountCents, others });
  const part = (amount: number, status = 'partial_refunded') => cancelOf({ amount, status });
  const partly = (canceled: number, ...parts: readonly object[]) => [
    ok(shown({ canceled_amount: canceled, last_transaction: parts[0] ?? transaction() })),
    listOf(...parts, transaction()),
  ];

  it('finds a refund among the transactions by its amount and by what is recorded of the others', async () => {
    const two = partly(4_500, part(500), part(4_000));
    expect(await inquire('refund', two, refundOf(4_000))).toMatchObject(found('refunded', 4_000));
    expect(await inquire('refund', two, refundOf(500, { amountCents: 500, status: 'refunded' }))).toEqual(
      NOT_FOUND,
    );
    expect(
      await inquire('refund', two, refundOf(500, { amountCents: 500, status: 'unknown' })),
    ).toMatchObject(UNCLEAR);
    const waiting = partly(4_000, part(500, 'pending_refund'), part(4_000));
    expect(await inquire('refund', waiting, refundOf(500))).toMatchObject(found('pending', 500));
    const refused = partly(4_000, part(500, 'error_on_refunding'), part(4_000));
    expect(await inquire('refund', refused, refundOf(500))).toMatchObject({ outcome: { kind: 'declined' } });
    expect(await inquire('refund', [ok(shown())], refundOf(500))).toEqual(NOT_FOUND);
    expect(await inquire('refund', two)).toMatchObject(UNCLEAR);
  });

  it('proves no absence of a refund while the charge says more than its transactions', async () => {
    expect(await inquire('refund', partly(4_500, part(4_000)), refundOf(500))).toMatchObject(UNCLEAR);
    const accepted = (list: readonly object[] = []) => [
      ok(shown({ pending_cancellation: true })),
      listOf(...list, transaction()),
    ];
    expect(await inquire('refund', accepted(), refundOf(500))).toMatchObject(found('pending', 500));
    const another = refundOf(500, { amountCents: 700, status: 'accepted' });
    expect(await inquire('refund', accepted(), another)).toMatchObject(UNCLEAR);
    expect(await inquire('refund', accepted([part(700, 'pending_refund')]), another)).toEqual(NOT_FOUND);
  });

  it('knows the charge by its order, also after a capture in the dashboard gave it another code', async () => {
    const charged = ok(shown({ code: 'DASHBOARD-1' }));
    expect(await inquire('refund', [charged], refundOf(500))).toEqual(NOT_FOUND);
    expect(await inquire('capture', [charged])).toEqual(NOT_FOUND);
  });

  it('reads every page of a charge’s transactions, and says nothing if some are missing', async () => {
    const charged = ok(shown({ canceled_amount: 4_500, last_transaction: part(500) }));
    const page = (...data: readonly object[]) => ok({ data, paging: { total: 3 } });
    const two = [charged, page(part(500)), page(part(4_000), transaction())];
    expect(await inquire('refund', two, refundOf(4_000))).toMatchObject(found('refunded', 4_000));
    expect(await inquire('refund', [charged, page(part(500)), page()], refundOf(4_000))).toMatchObject(
      UNCLEAR,
    );
  });

  it('says nothing about another charge, and nothing if Pagar.me does not know its own id', async () => {
    const other = { ...shown({ code: 'x' }), order: { code: 'x' } };
    expect(await inquire('cancel', [ok(other)])).toMatchObject(UNCLEAR);
    expect(await inquire('cancel', [error(404, 'Charge not found.')])).toMatchObject(UNCLEAR);
  });
});

describe('an inquiry about a charge whose id is not known', () => {
  const ORDER = { id: 'or_1', code: REFERENCE };
  const inquire = async (...answers: readonly StubAnswer[]) => {
    const stub = pagarmeStub(...answers);
    const subject = { reference: REFERENCE, gatewayTransactionId: null, sentAt: new Date() };
    return { ...stub, result: await driver.inquire(stub.ctx, subject) };
  };

  it('lists the orders with its code and reads the one that is found', async () => {
    const { result, paths } = await inquire(listOf(ORDER), ok(order(charge())));
    expect(result).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } });
    expect(paths()).toEqual([`GET orders?code=${REFERENCE}&size=10`, 'GET orders/or_1']);
  });

  it('proves absence by an empty list only', async () => {
    expect((await inquire(listOf())).result).toEqual({ kind: 'not_found' });
    for (const body of [
      { data: [] },
      { data: [], paging: { total: 1 } },
      { data: [], paging: { total: 0, next: 'https://api.pagar.me/core/v5/orders?page=2' } },
      // A gateway that ignores the filter.
      { data: [{ id: 'or_2', code: 'another' }], paging: { total: 1 } },
      { data: [ORDER, ORDER], paging: { total: 2 } },
    ]) {
      expect((await inquire(ok(body))).result).toMatchObject({ kind: 'inconclusive' });
    }
    const proxy = await inquire({ status: 404, body: { message: 'no Route matched' } });
    expect(proxy.result).toMatchObject({ kind: 'inconclusive' });
  });

  it('is unclear about an order with two charges or of another code', async () => {
    for (const body of [order(charge(), charge()), order(), { ...order(charge()), code: 'x' }]) {
      expect((await inquire(listOf(ORDER), ok(body))).result).toMatchObject({ kind: 'inconclusive' });
    }
  });
});
