import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { GatewayError } from '../../../../src/gateways/errors';
import {
  asaasStub,
  authorized,
  error,
  followUp,
  list,
  ok,
  payment,
  pix,
  REFERENCE,
  refund,
  type StubAnswer,
} from './asaas-stub';

const driver = new AsaasDriver();
const LOST = new GatewayError('ambiguous', 'the answer was incomplete');

type Operation = 'capture' | 'cancel' | 'refund';
function operate(operation: Operation, changes: object, ...answers: readonly StubAnswer[]) {
  const stub = asaasStub(...answers);
  const reference = `${REFERENCE}-${operation}`;
  return { stub, outcome: driver[operation](stub.ctx, followUp({ reference, ...changes })) };
}
const expectFamily = async ({ outcome }: { outcome: Promise<unknown> }, family: string) =>
  expect(await outcome.catch((thrown: unknown) => thrown)).toMatchObject({ name: 'GatewayError', family });

describe('a capture', () => {
  it('captures the whole authorization', async () => {
    const { stub, outcome } = operate('capture', {}, ok(authorized()), ok(payment()));
    expect(await outcome).toMatchObject({ kind: 'approved', amountCents: 12_990 });
    expect(stub.paths()).toEqual(['GET payments/pay_1', 'POST payments/pay_1/captureAuthorizedPayment']);
  });

  it('of another amount, or of what is not authorized, is refused before it is sent', async () => {
    const cases = [
      operate('capture', { amountCents: 12_000 }, ok(authorized())),
      operate('capture', { amountCents: 13_000 }, ok(authorized())),
      operate('capture', {}, ok(payment())),
      operate('capture', {}, ok(authorized({ status: 'REFUNDED' }))),
      operate('capture', {}, error(404, 'not_found')),
    ];
    for (const each of cases) {
      await expectFamily(each, 'invalid_request');
      expect(each.stub.sent).toHaveLength(1);
    }
  });

  it('whose charge cannot be read was not sent, and one without its result is unknown', async () => {
    await expectFamily(operate('capture', {}, LOST), 'not_sent');
    await expectFamily(operate('capture', {}, ok(authorized()), LOST), 'ambiguous');
    await expectFamily(operate('capture', {}, ok(authorized()), ok(authorized())), 'ambiguous');
    await expectFamily(operate('capture', {}, ok(authorized()), ok(payment({ id: 'pay_2' }))), 'ambiguous');
  });
});

describe('a cancel', () => {
  it('gives an authorization back, and removes an unpaid pix', async () => {
    const voided = operate('cancel', {}, ok(authorized()), ok(authorized({ status: 'REFUNDED' })));
    expect(await voided.outcome).toMatchObject({ kind: 'canceled', amountCents: 12_990 });
    expect(voided.stub.paths().at(-1)).toBe('POST payments/pay_1/refund');
    const withDates = operate('cancel', {}, ok(authorized()), ok(payment({ status: 'REFUNDED' })));
    expect(await withDates.outcome).toMatchObject({ kind: 'canceled' });
    const removed = operate('cancel', {}, ok(pix({ status: 'OVERDUE' })), ok({ deleted: true, id: 'pay_1' }));
    expect(await removed.outcome).toMatchObject({ kind: 'canceled' });
    expect(removed.stub.paths().at(-1)).toBe('DELETE payments/pay_1');
  });

  it('never gives back a captured charge', async () => {
    for (const state of [payment(), pix({ status: 'RECEIVED' }), pix({ deleted: true })]) {
      const each = operate('cancel', {}, ok(state));
      await expectFamily(each, 'invalid_request');
      expect(each.stub.paths()).toEqual(['GET payments/pay_1']);
    }
  });

  it('without its result is unknown', async () => {
    await expectFamily(operate('cancel', {}, ok(authorized()), ok(authorized())), 'ambiguous');
    const inProgress = ok(authorized({ status: 'REFUND_IN_PROGRESS' }));
    await expectFamily(operate('cancel', {}, ok(authorized()), inProgress), 'ambiguous');
    await expectFamily(operate('cancel', {}, ok(pix()), ok({ deleted: false, id: 'pay_1' })), 'ambiguous');
    await expectFamily(operate('cancel', {}, ok(pix()), ok({ deleted: true, id: 'pay_2' })), 'ambiguous');
  });
});

describe('a refund', () => {
  it('has our reference and the reason as its description, and is recognized by it', async () => {
    const own = refund({ value: 40, description: `${REFERENCE}-refund pedido cancelado` });
    const answer = ok(payment({ refunds: [refund({ description: 'painel' }), own] }));
    const { stub, outcome } = operate('refund', { amountCents: 4_000, reason: 'pedido cancelado' }, answer);
    expect(await outcome).toMatchObject({
      kind: 'refunded',
      amountCents: 4_000,
      gatewayTransactionId: 'pay_1',
    });
    expect(stub.body(0)).toEqual({ value: 40, description: `${REFERENCE}-refund pedido cancelado` });
  });

  it('that waits for its settlement is pending', async () => {
    const answer = ok(payment({ status: 'REFUND_IN_PROGRESS', refunds: [refund({ status: 'PENDING' })] }));
    expect(await operate('refund', {}, answer).outcome).toMatchObject({
      kind: 'pending',
      amountCents: 12_990,
    });
  });

  it('is looked up in the list if the answer does not show it', async () => {
    const { stub, outcome } = operate('refund', {}, ok(payment({ status: 'REFUNDED' })), list(refund()));
    expect(await outcome).toMatchObject({ kind: 'refunded' });
    expect(stub.paths()).toEqual(['POST payments/pay_1/refund', 'GET payments/pay_1/refunds']);
  });

  it('that cannot be found after it was sent is unknown, whatever the reason', async () => {
    for (const answer of [LOST, error(401, 'invalid_access_token'), error(400, 'invalid_action'), list()])
      await expectFamily(operate('refund', {}, ok(payment()), answer), 'ambiguous');
    const other = ok(payment({ refunds: [refund({ value: 1 })] }));
    await expectFamily(operate('refund', {}, other), 'ambiguous');
  });

  it('of a part takes from each recipient its share, but no more than it has', async () => {
    const split = [
      { id: 's1', walletId: 'w1', percentualValue: 60, totalValue: 72.5 },
      { id: 's2', walletId: 'w2', percentualValue: 40, totalValue: 48.33 },
    ];
    const before = refund({ value: 10, description: 'painel', refundedSplits: [{ id: 's2', value: 8.33 }] });
    const parts = [
      { recipientId: 'w1', amountCents: 6_000, liable: true, chargeProcessingFee: true },
      { recipientId: 'w2', amountCents: 4_990, liable: true, chargeProcessingFee: true },
    ];
    const own = refund({ value: 109.9 });
    const partial = operate(
      'refund',
      { amountCents: 10_990, splits: parts },
      ok(payment({ split, refunds: [before] })),
      ok(payment({ split, refunds: [before, own] })),
    );
    expect(await partial.outcome).toMatchObject({ kind: 'refunded', amountCents: 10_990 });
    expect(partial.stub.body(1)).toMatchObject({
      value: 109.9,
      splitRefunds: [
        { id: 's1', value: 60 },
        { id: 's2', value: 40 },
      ],
    });
    const whole = operate(
      'refund',
      { splits: parts },
      ok(payment({ split })),
      ok(payment({ refunds: [refund()] })),
    );
    await whole.outcome;
    expect(whole.stub.body(1)).not.toHaveProperty('splitRefunds');
    const unknown = operate('refund', { amountCents: 1, splits: parts }, ok(payment()));
    await expectFamily(unknown, 'invalid_request');
    expect(unknown.stub.sent).toHaveLength(1);
  });

  it('that the balance does not allow is refused', async () => {
    await expectFamily(
      operate('refund', {}, error(400, 'invalid_action', 'Saldo insuficiente.')),
      'invalid_request',
    );
  });
});

describe('an error', () => {
  it.each<[number, string]>([
    [400, 'invalid_request'],
    [401, 'bad_credentials'],
    [403, 'bad_credentials'],
    [404, 'invalid_request'],
    [429, 'rate_limited'],
    [409, 'ambiguous'],
    [500, 'ambiguous'],
  ])('of Asaas with status %s is %s, and any other body is ambiguous', async (status, family) => {
    await expectFamily(operate('refund', {}, error(status, 'invalid_action')), family);
    for (const body of ['', '<html>', {}, { errors: [{ code: '?' }] }, { error: 'x' }])
      await expectFamily(operate('refund', {}, { status, body }), 'ambiguous');
  });

  it('about an unknown id may have an empty list of errors, and no other one', async () => {
    await expectFamily(operate('refund', {}, { status: 404, body: { errors: [] } }), 'invalid_request');
    for (const status of [400, 401, 403, 429])
      await expectFamily(operate('refund', {}, { status, body: { errors: [] } }), 'ambiguous');
  });

  it('is none with status 200', async () => {
    await expectFamily(operate('refund', {}, error(200, 'invalid_action')), 'ambiguous');
  });
});
