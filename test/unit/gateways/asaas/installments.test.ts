import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { GatewayError } from '../../../../src/gateways/errors';
import {
  asaasStub,
  chargeRequest,
  error,
  followUp,
  KNOWN_CUSTOMER,
  list,
  ok,
  payment,
  REFERENCE,
  refund,
  type StubAnswer,
} from './asaas-stub';

const driver = new AsaasDriver();
const ID = 'd09c7898-42d2-4372-9e55-d3d90915ff46';
const LOST = new GatewayError('ambiguous', 'the answer was incomplete');
const REFUNDED = ok({ object: 'installment', id: ID, value: 129.9, installmentCount: 3 });

const part = (number: number, changes: object = {}): object =>
  payment({ id: `pay_${number}`, installment: ID, installmentNumber: number, value: 43.3, ...changes });
/** Newest first, as Asaas lists them. */
const parts = (...changes: readonly object[]) =>
  [3, 2, 1].map((number, index) => part(number, changes[index]));
const all = (change: object) => parts(change, change, change);

function charge(...answers: readonly StubAnswer[]) {
  const stub = asaasStub(KNOWN_CUSTOMER, ...answers);
  return { stub, outcome: driver.charge(stub.ctx, chargeRequest({ installments: 3 })) };
}
const family = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'none',
    (thrown: unknown) => (thrown instanceof GatewayError ? thrown.family : String(thrown)),
  );
const inquire = (id: string | null, answers: readonly StubAnswer[], reference = REFERENCE) => {
  const stub = asaasStub(...answers);
  const subject = { reference, gatewayTransactionId: id, sentAt: null };
  return driver.inquire(stub.ctx, subject).then((result) => ({ result, stub }));
};
const summary = async (data: readonly object[]) => {
  const { result } = await inquire(ID, [list(...data)]);
  if (result.kind !== 'found' || result.outcome.kind === 'declined') return result.kind;
  const { kind, amountCents, chargeState } = result.outcome;
  return `${kind} ${amountCents} ${chargeState?.capturedCents} ${chargeState?.refundedCents}`;
};

describe('a charge in installments', () => {
  it('names their number and the whole amount, and is known by the id of all of them', async () => {
    const { stub, outcome } = charge(ok(part(1)), list(...parts()));
    expect(await outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: ID, amountCents: 12_990 });
    expect(stub.body(1)).toMatchObject({ value: 129.9, installmentCount: 3, totalValue: 129.9 });
    expect(stub.sent[2]?.url).toBe(`http://asaas.invalid/v3/payments?installment=${ID}&limit=100`);
  });

  it('is unknown if its payments cannot be read, are not all of it, or are other payments', async () => {
    for (const answer of [LOST, error(401, 'invalid_access_token'), list(), list(part(1))])
      expect(await family(charge(ok(part(1)), answer).outcome)).toBe('ambiguous');
    expect(await family(charge(ok(part(1)), list(payment(), ...parts())).outcome)).toBe('ambiguous');
    expect(await family(charge(ok(part(1, { installment: undefined }))).outcome)).toBe('ambiguous');
  });

  it('is not authorized only, because nobody says what a capture would capture', async () => {
    const stub = asaasStub(KNOWN_CUSTOMER);
    const outcome = driver.authorize(stub.ctx, chargeRequest({ installments: 2 }));
    expect(await family(outcome)).toBe('unsupported');
    expect(stub.sent).toEqual([]);
  });
});

describe('an inquiry about a charge in installments', () => {
  it('by our reference finds all payments as one, also if only the first has the reference', async () => {
    const { result, stub } = await inquire(null, [list(...parts()), list(...parts())]);
    expect(result).toMatchObject({ outcome: { gatewayTransactionId: ID, amountCents: 12_990 } });
    expect(stub.sent).toHaveLength(2);
    const others = { externalReference: null };
    const found = await inquire(null, [list(part(1)), list(...parts(others, others))]);
    expect(found.result).toMatchObject({ outcome: { gatewayTransactionId: ID, amountCents: 12_990 } });
  });

  it('leaves two charges of one reference to a person', async () => {
    const again = part(4, { installment: 'e09c7898-42d2-4372-9e55-d3d90915ff46' });
    for (const other of [again, payment({ id: 'pay_9' })])
      expect((await inquire(null, [list(part(1), other), list(...parts())])).result.kind).toBe(
        'inconclusive',
      );
  });

  it('adds the payments up, whose months of receipt differ', async () => {
    expect(await summary(parts())).toBe('approved 12990 12990 0');
    expect(await summary(parts({}, {}, { status: 'RECEIVED' }))).toBe('approved 12990 12990 0');
    expect(await summary(all({ status: 'REFUNDED' }))).toBe('refunded 12990 12990 12990');
    expect(await summary(parts({ status: 'REFUNDED' }))).toBe('approved 12990 12990 4330');
    const refunds = [refund({ value: 10 })];
    expect(await summary(parts({ refunds }))).toBe('approved 12990 12990 1000');
  });

  it('proves nothing if the payments cannot be of one charge, or there are none', async () => {
    expect(await summary(parts({ status: 'PENDING' }))).toBe('inconclusive');
    expect(await summary(parts({ deleted: true }))).toBe('inconclusive');
    expect(await summary([])).toBe('inconclusive');
  });
});

describe('a refund of installments', () => {
  const refundOf = (amountCents: number, ...answers: readonly StubAnswer[]) => {
    const stub = asaasStub(...answers);
    const operation = followUp({ gatewayTransactionId: ID, amountCents });
    return { stub, outcome: driver.refund(stub.ctx, operation) };
  };
  const waiting = all({ status: 'REFUND_IN_PROGRESS' });

  it('is one of all, done or pending', async () => {
    const done = refundOf(12_990, list(...parts()), REFUNDED, list(...all({ status: 'REFUNDED' })));
    expect(await done.outcome).toMatchObject({
      kind: 'refunded',
      amountCents: 12_990,
      gatewayTransactionId: ID,
    });
    expect(done.stub.paths()).toEqual(['GET payments', `POST installments/${ID}/refund`, 'GET payments']);
    const pending = refundOf(12_990, list(...parts()), REFUNDED, list(...waiting));
    expect(await pending.outcome).toMatchObject({ kind: 'pending', amountCents: 12_990 });
  });

  it('of a part, or after a part was refunded, is refused before it is sent', async () => {
    for (const { stub, outcome } of [
      refundOf(4_330, list(...parts())),
      refundOf(12_990, list(...parts({ status: 'REFUNDED' }))),
      refundOf(12_990, list()),
    ]) {
      expect(await family(outcome)).toBe('invalid_request');
      expect(stub.sent).toHaveLength(1);
    }
  });

  it('is certainly not sent if the charge cannot be read, and unknown without its result', async () => {
    expect(await family(refundOf(12_990, LOST).outcome)).toBe('not_sent');
    expect(await family(refundOf(12_990, list(...parts()), LOST).outcome)).toBe('ambiguous');
    for (const answer of [LOST, error(401, 'invalid_access_token'), list(...parts())])
      expect(await family(refundOf(12_990, list(...parts()), REFUNDED, answer).outcome)).toBe('ambiguous');
  });

  it('is found by the state of all payments', async () => {
    const { reference } = followUp();
    const found = async (data: readonly object[]) => (await inquire(ID, [list(...data)], reference)).result;
    expect(await found(all({ status: 'REFUNDED' }))).toMatchObject({ outcome: { kind: 'refunded' } });
    expect(await found(waiting)).toMatchObject({ outcome: { kind: 'pending' } });
    expect(await found(parts())).toEqual({ kind: 'not_found' });
    expect((await found(parts({ status: 'REFUNDED' }))).kind).toBe('inconclusive');
  });

  it('is the only operation on them: they are captured at once', async () => {
    for (const operation of ['capture', 'cancel'] as const) {
      const stub = asaasStub(ok(payment()));
      const outcome = driver[operation](stub.ctx, followUp({ gatewayTransactionId: ID }));
      expect(await family(outcome)).toBe('invalid_request');
      expect(stub.sent).toEqual([]);
    }
  });
});

it('an event about one of the payments names all of them', () => {
  const body = { id: 'evt_1&2', event: 'PAYMENT_REFUNDED', payment: part(2) };
  const raw = { body: Buffer.from(JSON.stringify(body)), headers: {}, query: '' };
  expect(driver.readCallback(raw)).toMatchObject({
    hints: [{ subject: { reference: REFERENCE, gatewayTransactionId: ID } }],
  });
});
