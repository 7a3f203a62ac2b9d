import type { GatewayContext, Outcome } from '../../../../src/gateways/gateway';
import { GatewayError } from '../../../../src/gateways/errors';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import {
  created,
  failure,
  followUp,
  mercadoPagoStub,
  ok,
  payment,
  refund,
  SEND_BEFORE,
  type StubAnswer,
} from './mercadopago-stub';

const driver = new MercadoPagoDriver();
const OPERATION = followUp({ amountCents: 9_990 });
const OPERATIONS = {
  capture: (ctx: GatewayContext) => driver.capture(ctx, OPERATION),
  cancel: (ctx: GatewayContext) => driver.cancel(ctx, OPERATION),
  refund: (ctx: GatewayContext) => driver.refund(ctx, OPERATION),
} as const;
type Operation = keyof typeof OPERATIONS;
const DONE: Readonly<Record<Operation, StubAnswer>> = {
  capture: ok(payment({ transaction_amount: 99.9 })),
  cancel: ok(payment({ status: 'cancelled', status_detail: 'by_collector' })),
  refund: created(refund({ amount: 99.9 })),
};
const run = (operation: Operation, answer: StubAnswer): Promise<Outcome> =>
  OPERATIONS[operation](mercadoPagoStub(answer).ctx);
const ALL = Object.keys(OPERATIONS) as Operation[];

describe('a capture, cancel or refund', () => {
  it.each<[Operation, string, object, string]>([
    ['capture', 'PUT payments/1', { capture: true, transaction_amount: 99.9 }, 'approved'],
    ['cancel', 'PUT payments/1', { status: 'cancelled' }, 'canceled'],
    ['refund', 'POST payments/1/refunds', { amount: 99.9 }, 'refunded'],
  ])('(%s) is one request with the send window and the key: %s %j', async (operation, path, body, kind) => {
    const stub = mercadoPagoStub(DONE[operation]);
    expect(await OPERATIONS[operation](stub.ctx)).toMatchObject({ kind, gatewayTransactionId: '1' });
    expect([stub.paths(), stub.body(0)]).toEqual([[path], body]);
    expect(stub.sent[0]).toMatchObject({ sendBefore: SEND_BEFORE, headers: { 'x-idempotency-key': 'key' } });
  });

  it.each<[Operation, string, StubAnswer]>([
    ['capture', 'another amount', ok(payment())],
    ['capture', 'another payment', ok(payment({ id: 2, transaction_amount: 99.9 }))],
    [
      'capture',
      'a payment that is still authorized',
      ok(payment({ status: 'authorized', transaction_amount: 99.9 })),
    ],
    ['cancel', 'a payment that is still authorized', ok(payment({ status: 'authorized' }))],
    ['cancel', 'another payment', ok(payment({ id: 2, status: 'cancelled' }))],
    ['refund', 'another amount', created(refund())],
    ['refund', 'another payment', created(refund({ payment_id: 2, amount: 99.9 }))],
    ['refund', 'an unknown state', created(refund({ amount: 99.9, status: 'settling' }))],
  ])('(%s) is ambiguous after the answer of %s', async (operation, _, answer) => {
    await expect(run(operation, answer)).rejects.toMatchObject({ family: 'ambiguous' });
  });

  it.each(ALL)('(%s) has the family of the error', async (operation) => {
    const family = (answer: StubAnswer) =>
      run(operation, answer).then(
        ({ kind }) => kind,
        (error: unknown) => (error as GatewayError).family,
      );
    const answers: readonly [StubAnswer, string][] = [
      [failure(400, 2063), 'invalid_request'],
      [failure(404, 2000), 'invalid_request'],
      [failure(405), 'invalid_request'],
      [failure(401), 'bad_credentials'],
      [failure(402), 'declined'],
      [failure(409), 'ambiguous'],
      [failure(423), 'ambiguous'],
      [failure(424), 'ambiguous'],
      [failure(500), 'ambiguous'],
      [{ status: 405, body: '' }, 'ambiguous'],
      [new GatewayError('ambiguous', 'lost'), 'ambiguous'],
    ];
    for (const [answer, expected] of answers) expect(await family(answer)).toBe(expected);
  });

  it.each([
    ['in_process', { kind: 'pending', amountCents: 9_990, gatewayTransactionId: '1' }],
    ['rejected', { kind: 'declined', message: 'refund_rejected', code: null }],
  ])('(refund) that is %s has that outcome', async (status, expected) => {
    expect(await run('refund', created(refund({ amount: 99.9, status })))).toMatchObject(expected);
  });
});
