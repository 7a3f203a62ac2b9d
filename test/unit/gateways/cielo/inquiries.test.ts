import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import type { InquiredRefund, OtherRefund } from '../../../../src/gateways/inquired-refund';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  authorized,
  cieloStub,
  empty,
  ok,
  ORDER_ID,
  paidPix,
  PAYMENT_ID,
  REFERENCE,
  sale,
  type StubAnswer,
} from './cielo-stub';

const driver = new CieloDriver();
const INCONCLUSIVE = { kind: 'inconclusive' };

function inquire(
  {
    id = PAYMENT_ID,
    reference = REFERENCE,
    refund,
  }: { id?: string | null; reference?: string; refund?: InquiredRefund },
  ...answers: readonly StubAnswer[]
) {
  const stub = cieloStub(...answers);
  const subject = { reference, gatewayTransactionId: id, sentAt: null, ...(refund && { refund }) };
  return { stub, result: driver.inquire(stub.ctx, subject) };
}
const listed = (...ids: readonly string[]) => ({ Payments: ids.map((PaymentId) => ({ PaymentId })) });

describe('an inquiry', () => {
  it('by our reference finds the only sale with it, by two reads', async () => {
    for (const list of [
      listed(PAYMENT_ID),
      { Payment: [{ PaymentId: PAYMENT_ID }] },
      { PaymentId: PAYMENT_ID },
    ]) {
      const { stub, result } = inquire({ id: null }, ok(list), ok(sale()));
      expect(await result).toMatchObject({
        kind: 'found',
        outcome: { kind: 'approved', chargeState: { capturedCents: 12_990 } },
      });
      expect(stub.paths()).toEqual([
        `GET query sales?merchantOrderId=${ORDER_ID}`,
        `GET query sales/${PAYMENT_ID}`,
      ]);
      expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([null, null]);
    }
  });

  it('never proves that there is no sale, because Cielo’s answer has no body', async () => {
    expect(driver.capabilities().provesAbsence).toBe(false);
    for (const answer of [empty(404), ok(listed()), ok({}), empty(500), empty(401)])
      expect(await inquire({ id: null }, answer).result).toMatchObject(INCONCLUSIVE);
    expect(await inquire({}, empty(404)).result).toMatchObject(INCONCLUSIVE);
    expect(await inquire({ id: null }, empty(401)).result).toMatchObject({ credentialsRejected: true });
  });

  it('is inconclusive about several sales with our reference, and about another one', async () => {
    const other = '00000000-0000-4000-8000-000000000000';
    expect(await inquire({ id: null }, ok(listed(PAYMENT_ID, other))).result).toMatchObject(INCONCLUSIVE);
    expect(await inquire({ id: null }, ok(listed(PAYMENT_ID)), ok(sale({}, 'other'))).result).toMatchObject(
      INCONCLUSIVE,
    );
  });

  it('about a capture or a cancel reads the state of the sale', async () => {
    const capture = { reference: `${REFERENCE}-capture` };
    const cancel = { reference: `${REFERENCE}-cancel` };
    expect(await inquire(capture, ok(sale({ CapturedAmount: 9_000 }))).result).toMatchObject({
      outcome: { kind: 'approved', amountCents: 9_000, chargeState: null },
    });
    expect(await inquire(capture, ok(authorized())).result).toEqual({ kind: 'not_found' });
    const voided = ok(authorized({ Status: 10 }));
    expect(await inquire(cancel, voided).result).toMatchObject({ outcome: { kind: 'canceled' } });
    expect(await inquire(cancel, ok(authorized())).result).toEqual({ kind: 'not_found' });
    for (const each of [capture, cancel])
      expect(await inquire(each, ok(sale({ Status: 0 }))).result).toMatchObject(INCONCLUSIVE);
  });
});

describe('an inquiry about a refund', () => {
  const other = (amountCents: number, status: OtherRefund['status']): OtherRefund => ({
    amountCents,
    status,
  });
  const about = (voided: number, others: readonly OtherRefund[], changes: object = {}, body = sale) => {
    const refund = { amountCents: 4_000, others };
    const answer = ok(body({ VoidedAmount: voided, ...changes }));
    return inquire({ reference: `${REFERENCE}-refund`, refund }, answer).result;
  };
  const REFUNDED = { kind: 'found', outcome: { kind: 'refunded', amountCents: 4_000 } };

  it('tells it by the sum of all refunds, if nothing else explains the sum', async () => {
    expect(await about(4_000, [])).toMatchObject(REFUNDED);
    expect(await about(0, [])).toEqual({ kind: 'not_found' });
    expect(await about(5_000, [other(1_000, 'refunded')])).toMatchObject(REFUNDED);
    expect(await about(1_000, [other(1_000, 'refunded')])).toEqual({ kind: 'not_found' });
    expect(await about(5_000, [other(1_000, 'unknown')])).toMatchObject(REFUNDED);
    expect(await about(0, [other(1_000, 'unknown')])).toEqual({ kind: 'not_found' });
    for (const [voided, others] of [
      [4_000, [other(4_000, 'unknown')]],
      [4_000, [other(1_000, 'accepted')]],
      [3_000, []],
      [0, [other(1_000, 'refunded')]],
    ] as const)
      expect(await about(voided, others)).toMatchObject(INCONCLUSIVE);
  });

  it('of a pix is pending while Cielo says so, and never absent', async () => {
    expect(await about(0, [], { Status: 12 }, paidPix)).toMatchObject({ outcome: { kind: 'pending' } });
    expect(await about(0, [], {}, paidPix)).toMatchObject(INCONCLUSIVE);
    expect(await about(4_000, [], {}, paidPix)).toMatchObject(REFUNDED);
  });

  it('without the other refunds is inconclusive', async () => {
    const { result } = inquire({ reference: `${REFERENCE}-refund` }, ok(sale({ VoidedAmount: 4_000 })));
    expect(await result).toMatchObject(INCONCLUSIVE);
  });
});

describeWithOracle('cielo/samples/049.json', 'the sample of a list', (content) => {
  it('is read, and has two sales of one reference', async () => {
    expect(await inquire({ id: null }, ok(content)).result).toMatchObject({
      reason: 'several sales have this reference',
    });
  });
});
